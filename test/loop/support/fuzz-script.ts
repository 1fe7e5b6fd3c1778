import type { AgentLimits, AssistantPart, ChatDelta, FinishReason } from 'nestjs-agent-tools';
import type { ScriptedAnswer, ScriptedTurn } from 'nestjs-agent-tools/testing';
import { Random } from './random.js';

const TOOLS = [
  'fast',
  'fast',
  'slow',
  'throwing',
  'rejecting',
  'denied',
  'alone',
  'deaf',
  'listening',
];
const STRANGE = ['nope', '__proto__', 'constructor', 'fast.er', 'a b', '', 'parallel', 'F A S T'];
const ARGUMENTS = [
  '{}',
  '{}',
  '{"n":1}',
  '{"n":',
  'null',
  '',
  '[1]',
  '{"n":"x"}',
  '{"m":1}',
  '{"__proto__":1}',
];
const WRAPPED =
  '{"tool_uses":[{"recipient_name":"functions.fast","parameters":{"n":1}},{"recipient_name":"slow"}]}';
const IDS = ['c1', 'c2', 'c3', 'a-long-id', '', ''];
const REASONS: FinishReason[] = ['stop', 'length', 'content-filter', 'other', 'error'];

export interface FuzzScript {
  readonly turns: ScriptedTurn[];
  readonly limits: AgentLimits;
}

/** A model as bad as they come. The same seed gives the same script. */
export function fuzzScript(random: Random, tools: readonly string[] = TOOLS): FuzzScript {
  const turns = random.list(1, 6, () => fuzzTurn(random, tools));
  return {
    turns: [...turns, 'The end.'],
    limits: { steps: random.integer(0, 6), toolCalls: random.pick([0, 1, 3, 50]), timeout: 10_000 },
  };
}

function fuzzTurn(random: Random, tools: readonly string[]): ScriptedTurn {
  const kind = random.next();
  if (kind < 0.06) return { error: random.pick([new Error('503'), 'quota', undefined]) };
  if (kind < 0.14) return { text: random.pick(['', ' ', '\n']) };
  const content: AssistantPart[] = [];
  if (random.chance(0.3)) content.push({ type: 'reasoning', text: 'Hm, let me think.' });
  if (random.chance(0.5)) content.push(fuzzText(random));
  if (kind < 0.85) content.push(...random.list(1, 4, () => fuzzCall(random, tools)));
  if (kind > 0.94) return { deltas: cutOff(content, random) };
  const answer: ScriptedAnswer = { content };
  return random.chance(0.2) ? { ...answer, finishReason: random.pick(REASONS) } : answer;
}

function fuzzText(random: Random): AssistantPart {
  const text = random.pick(['Let me see.', 'One moment, please.', '']);
  return random.chance(0.2)
    ? { type: 'text', text, providerMetadata: { p: { signature: 's' } } }
    : { type: 'text', text };
}

function fuzzCall(random: Random, tools: readonly string[]): AssistantPart {
  const name = random.pick(random.chance(0.2) ? STRANGE : tools);
  const isWrapped = name === 'parallel' && random.chance(0.7);
  return {
    type: 'tool-call',
    id: random.pick(IDS),
    name,
    // Arguments without a name would be those of another call, if they came in a stream.
    arguments: isWrapped ? WRAPPED : name === '' ? '' : random.pick(ARGUMENTS),
  };
}

/** The begin of an answer, and then nothing more. */
function cutOff(content: readonly AssistantPart[], random: Random): ChatDelta[] {
  const deltas = content.map((part, index): ChatDelta =>
    part.type === 'tool-call' ? { ...part, index } : part,
  );
  return deltas.slice(0, random.integer(0, deltas.length));
}
