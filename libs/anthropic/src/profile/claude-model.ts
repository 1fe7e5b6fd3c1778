/** What is known of a model of Anthropic's by its name. */
export interface ClaudeModel {
  /** How many tokens are asked for if nobody says. */
  readonly maxTokens: number;
  /** Whether it takes an effort. */
  readonly effort: boolean;
  /** Whether it decides itself how much it thinks. */
  readonly adaptive: boolean;
  /** Whether it takes `temperature` and `top_p`. */
  readonly sampling: boolean;
  /** Whether it keeps to schemas: strict tools, and the format of an answer. */
  readonly structured: boolean;
  /** Whether it can be made to call, when it does not think. */
  readonly forcedChoice: boolean;
}

const NAME = /claude-(?:([a-z]+)-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const MAX_TOKENS = 16_384;
const OLD_MAX_TOKENS = 4_096;
const UNKNOWN: ClaudeModel = {
  maxTokens: OLD_MAX_TOKENS,
  effort: true,
  adaptive: true,
  sampling: true,
  structured: true,
  forcedChoice: true,
};

/**
 * By family and version, as Anthropic documents them, in whatever form a gateway has the name
 * (`anthropic.claude-opus-4-1-20250805-v1:0`). Of a name that tells nothing, the server is the judge.
 */
export function findClaudeModel(name: string): ClaudeModel {
  const match = NAME.exec(name);
  if (!match) return /claude/.test(name) ? { ...UNKNOWN, maxTokens: MAX_TOKENS } : UNKNOWN;
  const [, family, major, minor = '0'] = match;
  const version = Number(major) * 100 + Number(minor);
  const isOpus = family === 'opus';
  return {
    maxTokens: version >= 400 ? MAX_TOKENS : OLD_MAX_TOKENS,
    effort: version >= 406 || (isOpus && version === 405),
    adaptive: version >= 406,
    sampling: version < 407,
    structured: version >= 405 || (isOpus && version === 401),
    forcedChoice: version <= 500 || family === 'haiku',
  };
}
