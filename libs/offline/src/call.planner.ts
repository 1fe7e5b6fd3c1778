import MiniSearch from 'minisearch';
import type { ChatTool } from 'nestjs-agent-tools';
import { extractArguments } from './argument.extractor.js';
import { parametersOf } from './parameter.reader.js';
import { readPrompt, type Token } from './prompt.reader.js';
import { contentWords } from './word.normalizer.js';

const BREAK = /^(?:[,;.?!\n]|and|then|also|plus)$/;
const HARMLESS = contentWords(
  'find return convert calculate translate quote estimate count define describe',
);

/** Decides which tools a prompt asks for, and with which arguments; `notes` say what is missing. */
export function planCalls(prompt: string, tools: readonly ChatTool[], forced: boolean) {
  const documents = tools.map(({ name, description, inputSchema }, id) => {
    const texts = parametersOf(inputSchema).map(({ about, schema }) =>
      [about, schema.enum].join(' '),
    );
    return { id, name, description, parameters: texts.join(' ') };
  });
  const index = new MiniSearch({
    fields: ['name', 'description', 'parameters'],
    tokenize: contentWords,
    searchOptions: { boost: { name: 3, description: 1.5 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(documents);
  // Capital letters inside a description are examples, such as "Paris", and not words of the tool.
  const own = documents.map((it) =>
    Object.values({ ...it, description: it.description.replace(/(?<= )\p{Lu}\S+/gu, '') }).join(
      ' ',
    ),
  );
  const vocabulary = contentWords(own.join(' '));
  const knows = (text: string) => contentWords(text).every((word) => vocabulary.includes(word));
  const tokens = readPrompt(prompt, knows);

  const optionsFor = (clause: Token[]) => {
    const text = clause.map((token) => token.text).join(' ');
    const scores = new Map(index.search(text).map((found) => [found.id, found]));
    const rest = (used: Set<Token>, free: boolean) => {
      const open = clause.filter(
        (t) => !used.has(t) && !(/word|mark/.test(t.kind) && knows(t.text)),
      );
      const last = open.at(-1);
      const wall = clause.findLast((t) => used.has(t) && last && t.start < last.start)?.end ?? 0;
      const first = open.find(({ start }) => start >= wall);
      if (
        !first ||
        !last ||
        (!free && (open.length > 4 || /^(?:is|are|do|does|can|will)\b/i.test(text)))
      )
        return undefined;
      return prompt.slice(first.start, last.end);
    };
    const options = tools.map((tool, id) => {
      const { score = 0, queryTerms = [] } = scores.get(id) ?? {};
      const found = extractArguments(tool, clause, tokens, rest);
      const clear =
        queryTerms.some((word) => word !== 'find') ||
        (found.evidence >= 3 && found.missing.length === 0);
      return {
        ...found,
        tool,
        clear: forced || (clear && isAsked(tool, contentWords(text))),
        score: score + found.evidence - 1.5 * found.missing.length,
      };
    });
    return options.filter(({ clear }) => clear).sort((a, b) => b.score - a.score);
  };

  const cuts = [0, ...tokens.flatMap(({ text }, at) => (BREAK.test(text) ? [at] : []))];
  const clauses: Token[][] = [];
  for (const [at, cut] of cuts.entries()) {
    const part = tokens.slice(cut, cuts[at + 1]);
    if (at === 0 || optionsFor(part).length > 0) clauses.push(part);
    else clauses.at(-1)?.push(...part);
  }
  const calls = new Map<string, { name: string; arguments: string }>();
  const notes: string[] = [];
  for (const clause of clauses) {
    const options = optionsFor(clause);
    const ready = options.find(
      ({ missing, score }) => missing.length === 0 && score >= options[0].score / 2,
    );
    for (const values of ready?.calls ?? []) {
      const call = { name: ready?.tool.name ?? '', arguments: JSON.stringify(values) };
      calls.set(call.name + call.arguments, call);
    }
    if (!ready && options[0])
      notes.push(`${options[0].tool.name} needs ${options[0].missing.join(' and ')}.`);
  }
  return { calls: [...calls.values()], notes };
}

/** "Cancel a booking" names an act, which has to be asked for; "Weather of a city" does not. */
function isAsked({ name, description }: ChatTool, said: string[]): boolean {
  const [verb = 'find'] = contentWords(name);
  const [, start = 'find'] =
    /^(\w+)\s(?:an?|the|one|this|that|all|any|some|new)\b/i.exec(description) ?? [];
  const acts = [verb, ...contentWords(start)];
  return acts.some((act) => HARMLESS.includes(act) || said.includes(act));
}
