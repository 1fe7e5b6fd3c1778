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
    const parameters = parametersOf(inputSchema);
    const names = parameters.map(({ path }) => path.join(' ')).join(' ');
    return {
      id,
      name,
      description,
      names,
      about: parameters.map(({ about, schema }) => [about, schema.enum].join(' ')).join(' '),
    };
  });
  const index = new MiniSearch({
    fields: ['name', 'description', 'about'],
    tokenize: contentWords,
    searchOptions: {
      boost: { name: 3, description: 1.5 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  index.addAll(documents);
  // Capital letters inside a description are examples, such as "Paris", and not words of the tool.
  const own = documents.map(
    (it) => `${it.name} ${it.names} ${it.description.replace(/(?<= )\p{Lu}\S+/gu, '')}`,
  );
  const known = new Set(contentWords(own.join(' ')));
  const tokens = readPrompt(prompt, known);
  const unit = Math.log(1 + (tools.length - 0.5) / 1.5);

  const optionsFor = (clause: Token[]) => {
    const text = clause.map((token) => token.text).join(' ');
    const scores = new Map(index.search(text).map((found) => [found.id, found]));
    const options = tools.map((tool, id) => {
      const { score = 0, queryTerms = [] } = scores.get(id) ?? {};
      const found = extractArguments(tool, clause, tokens, prompt, known);
      const clear =
        queryTerms.some((word) => word !== 'find') ||
        (found.evidence >= 3 && found.missing.length === 0);
      return {
        ...found,
        tool,
        clear: forced || (clear && isAsked(tool, contentWords(text))),
        score: score / unit + found.evidence - 1.5 * found.missing.length,
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
