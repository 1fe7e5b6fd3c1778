import type { ChatTool } from 'nestjs-agent-tools';
import { type Extraction, extractArguments } from './argument.extractor.js';
import { readPrompt, SENTENCE_END, type Token } from './prompt.reader.js';
import { type RankedTool, ToolRanker } from './tool.ranker.js';
import { contentWords } from './word.normalizer.js';

export interface PlannedCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

interface Option extends RankedTool, Extraction {}

const SPLIT = /^(?:and|then|also|plus|,)$/i;
/** Tools with these verbs change nothing, so nobody has to say the verb. */
const HARMLESS = new Set(
  contentWords(
    'find return convert calculate compute translate quote estimate count compare define describe',
  ),
);
const wordsOf = (tokens: readonly Token[]) => tokens.flatMap(({ text }) => contentWords(text));

/** Decides which tools a prompt asks for, and with which arguments; `notes` say what is missing. */
export function planCalls(prompt: string, tools: readonly ChatTool[], forced: boolean) {
  const ranker = ToolRanker.of(tools);
  const tokens = readPrompt(prompt, ranker.knows);
  const calls = new Map<string, PlannedCall>();
  const notes = new Set<string>();
  let last: ChatTool | undefined;

  const optionsFor = (clause: readonly Token[]): Option[] =>
    ranker
      .rank(wordsOf(clause))
      .map((ranked) => {
        const found = extractArguments(ranked.tool, clause, tokens, prompt);
        return {
          ...ranked,
          ...found,
          score: ranked.score + found.evidence - 1.5 * found.missing.length,
        };
      })
      .filter(
        (option) =>
          forced || isAsked(option, wordsOf(clause)) || (option.tool === last && option.named),
      )
      .toSorted((a, b) => b.score - a.score);
  const isIndependent = (clause: readonly Token[]) =>
    optionsFor(clause).some(
      ({ words, named, evidence, missing }) =>
        named || words.length > 0 || (evidence >= 3 && missing.length === 0),
    );

  for (const clause of clausesOf(tokens, isIndependent)) {
    const options = optionsFor(clause);
    const [best] = options;
    if (!best) continue;
    const ready = options.filter(
      ({ missing, score }) => missing.length === 0 && score >= best.score * 0.5,
    );
    const [first] = ready;
    if (!first && best.named) notes.add(`${best.tool.name} needs ${best.missing.join(' and ')}.`);
    // What the first tool does not explain may name a second one.
    const others = wordsOf(clause).filter((word) => !first?.words.includes(word));
    const second = ranker
      .rank(others)
      .filter(({ named }) => named)
      .map(({ tool }) => ready.find((r) => r.tool === tool))
      .find((o) => o && o !== first);
    for (const { tool, calls: all } of [first, second].filter((o) => o !== undefined)) {
      last = tool;
      for (const each of all) {
        const call = { name: tool.name, arguments: JSON.stringify(each) };
        calls.set(call.name + call.arguments, call);
      }
    }
  }
  return { calls: [...calls.values()], notes: [...notes] };
}

function clausesOf(
  tokens: readonly Token[],
  isIndependent: (clause: readonly Token[]) => boolean,
): Token[][] {
  const clauses: Token[][] = [[]];
  let open: Token[] = [];
  const close = (hard: boolean) => {
    if (isIndependent(open)) clauses.push(open);
    else clauses.at(-1)?.push(...open);
    if (hard) clauses.push([]);
    open = [];
  };
  for (const token of tokens) {
    const end = SENTENCE_END.test(token.text);
    if (end || SPLIT.test(token.text)) close(end);
    open.push(token);
  }
  close(true);
  return clauses.filter((clause) => clause.length > 0);
}

/** "Cancel a booking" names an act, which has to be asked for; "Weather of a city" does not. */
function isAsked({ tool, words, evidence, missing }: Option, said: readonly string[]): boolean {
  const [verb = ''] = contentWords(tool.name);
  const [, start = '', name = ''] =
    /^(\w+)\s(?:an?|the|one|this|that|all|any|some|new)\b/i.exec(tool.description) ?? [];
  const [act = 'find'] = contentWords(start);
  const harmless = HARMLESS.has(verb) || HARMLESS.has(act);
  if (!harmless && ![verb, act].some((w) => said.includes(w))) return false;
  return words.length > 0 || (evidence >= 3 && missing.length === 0);
}
