import type { ChatTool } from 'nestjs-agent-tools';
import { type Arguments, type Extraction, extractArguments } from './argument.extractor.js';
import { readPrompt, SENTENCE_END, type Token } from './prompt.reader.js';
import { type RankedTool, ToolRanker } from './tool.ranker.js';
import { contentWords } from './word.normalizer.js';

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Arguments;
}

export interface Plan {
  readonly calls: readonly PlannedCall[];
  /** What kept a matching tool from being called, as sentences. */
  readonly notes: readonly string[];
}

interface Option extends RankedTool {
  readonly found: Extraction;
}

const SPLIT = /^(?:and|then|also|plus|,)$/i;

/** Decides which tools a prompt asks for, and with which arguments. */
export function planCalls(prompt: string, tools: readonly ChatTool[], forced: boolean): Plan {
  const ranker = ToolRanker.for(tools);
  const tokens = readPrompt(prompt, ranker.knows);
  const calls: PlannedCall[] = [];
  const notes: string[] = [];
  for (const clause of clausesOf(tokens, ranker)) {
    let words = wordsOf(clause);
    const options = optionsFor(words, clause, tokens, prompt, ranker);
    const best = options[0];
    if (!best) continue;
    const pick = options.find(
      ({ found, score }) => found.missing.length === 0 && score >= best.score * 0.5,
    );
    if (!pick) {
      if (best.named) notes.push(`${best.tool.name} needs ${best.found.missing.join(' and ')}.`);
      continue;
    }
    const picked = [pick];
    words = words.filter((w) => !pick.words.has(w));
    const others = new Set(
      ranker
        .rank(words)
        .filter((r) => r.named && r.tool !== pick.tool)
        .map((r) => r.tool),
    );
    picked.push(
      ...options
        .filter(
          (option) =>
            others.has(option.tool) &&
            option.found.missing.length === 0 &&
            option.score >= best.score * 0.4,
        )
        .slice(0, 1),
    );
    for (const { tool, found } of picked)
      calls.push(...found.calls.map((args) => ({ name: tool.name, arguments: args })));
  }
  const unique = new Map(calls.map((call) => [JSON.stringify(call), call]));
  return { calls: [...unique.values()], notes };
}

function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text }) => contentWords(text));
}

function clausesOf(tokens: readonly Token[], ranker: ToolRanker): Token[][] {
  const clauses: Token[][] = [[]];
  let pending: Token[] = [];
  let soft = true;
  const close = (next: boolean) => {
    const independent =
      !soft || ranker.rank(wordsOf(pending)).some(({ named, clear }) => named || clear);
    if (independent) clauses.push(pending);
    else clauses.at(-1)?.push(...pending);
    pending = [];
    soft = next;
  };
  for (const token of tokens) {
    const hard = SENTENCE_END.test(token.text);
    if (hard || SPLIT.test(token.text)) close(!hard);
    pending.push(token);
  }
  close(false);
  return clauses.filter((clause) => clause.length > 0);
}

function optionsFor(
  words: readonly string[],
  clause: readonly Token[],
  tokens: readonly Token[],
  prompt: string,
  ranker: ToolRanker,
): Option[] {
  const ranked = new Map(ranker.rank(words).map((each) => [each.tool, each]));
  return ranker.tools
    .map((tool) => {
      const found = extractArguments(tool, clause, tokens, prompt);
      const match = ranked.get(tool) ?? {
        tool,
        score: 0,
        words: new Set<string>(),
        named: false,
        clear: false,
      };
      return { ...match, found, score: match.score + found.evidence - 1.5 * found.missing.length };
    })
    .filter(
      ({ tool, clear, found }) =>
        (clear || (found.evidence >= 3 && found.missing.length === 0)) && isMeant(tool, words),
    )
    .toSorted((a, b) => b.score - a.score);
}

/** Tools with these verbs change nothing, so nobody has to say the verb. */
const HARMLESS = new Set(
  contentWords(
    'find convert calculate compute translate quote estimate count compare define describe',
  ),
);

/** "Refund an order" names an act, which has to be asked for in words; "Weather of a city" does not. */
function isMeant({ name, description }: ChatTool, words: readonly string[]): boolean {
  const [verb = ''] = name.split(/[^a-z]/);
  const act = new RegExp(`\\b${verb}(?:e?s)?\\s(?:an?|the|one|this|that|all|any|some|new)\\b`, 'i');
  const [term = 'find'] = contentWords(verb);
  return HARMLESS.has(term) || !act.test(description) || words.includes(term);
}
