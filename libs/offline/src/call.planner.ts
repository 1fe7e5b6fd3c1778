import MiniSearch from 'minisearch';
import type { ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { chooseArguments, findArguments, type Span } from './argument.extractor.js';
import { contentWords } from './word.normalizer.js';

const WORD = /[\p{L}\d]+|./gu;
const BREAK = /(?<!\b(?:Dr|Mrs?|Ms))[;.?!\n]+(?=\s|$)|,|\b(?:and|then|also|plus)\b/gi;
/** "Cancel a booking" names an act, which has to be asked for; "Convert an amount" does no harm. */
const ACT = /^(?!convert|calculat|translat|estimat|evaluat)\w+(?= (?:an?|the|all|one)\b)/i;

/** Decides which tools a prompt asks for, and with which arguments; `notes` say what is missing. */
export function planCalls(prompt: string, all: readonly ChatTool[], choice: ToolChoice) {
  const tools = typeof choice === 'object' ? all.filter(({ name }) => name === choice.tool) : all;
  const index = new MiniSearch({ fields: ['name', 'description', 'args'], tokenize: contentWords });
  index.addAll(tools.map((it, id) => ({ ...it, id, args: JSON.stringify(it.inputSchema) })));
  const readings = tools.map(({ inputSchema }) => findArguments(inputSchema, prompt));
  const own = new Set(tools.flatMap((it) => contentWords(`${it.name} ${it.description}`)));
  const knows = (text: string) => contentWords(text).every((word) => own.has(word));

  const optionsFor = (start: number, end = prompt.length, any = false) => {
    const text = prompt.slice(start, end);
    const said = contentWords(text);
    const hits = index.search(text, { boost: { name: 2, description: 1.5 }, prefix: true });
    // The longest part that no argument has taken, without the words of the tools around it.
    const rest = (used: Span[]) => {
      let open = text;
      for (const it of used) open = open.replace(prompt.slice(it.start, it.end), '\n');
      const parts = open.split('\n').map((part) => {
        const bare = part.replace(WORD, (it) => (knows(it) ? ' '.repeat(it.length) : it));
        return part.slice(bare.length - bare.trimStart().length, bare.trimEnd().length);
      });
      return parts.sort((a, b) => b.length - a.length)[0] || undefined;
    };
    const options = tools.map((tool, id) => {
      const { score = 0 } = hits.find((hit) => hit.id === id) ?? {};
      const { missing, evidence, ...found } = chooseArguments(readings[id], { prompt, start, end, rest });
      const calls = found.calls.map((it) => ({ name: tool.name, arguments: JSON.stringify(it) }));
      const [act] = contentWords(ACT.exec(tool.description)?.[0] ?? '');
      const asked = !act || said.includes(act) || said.includes(contentWords(tool.name)[0]);
      const meant = any || (asked && (score > 0 || (evidence > 3.5 && calls.length > 0)));
      const note = missing.length > 0 ? `${tool.name} needs ${missing.join(' and ')}.` : '';
      return { calls, note, meant, rank: score / 2 + evidence - 1.5 * missing.length };
    });
    return options.filter(({ meant }) => meant).sort((a, b) => b.rank - a.rank);
  };

  const cuts = [0, ...[...prompt.matchAll(BREAK)].map((it) => it.index)];
  const starts = cuts.filter((cut, at) => at === 0 || optionsFor(cut, cuts[at + 1]).length > 0);
  const plans = starts.map((start, at) => optionsFor(start, starts[at + 1]));
  if (choice !== 'auto' && !plans.flat().length) plans.push(optionsFor(0, prompt.length, true));
  const picks = plans.flatMap((options) => {
    const ready = options.find((it) => it.calls.length > 0 && it.rank >= options[0].rank / 2);
    return ready ?? options.slice(0, 1);
  });
  return { calls: picks.flatMap((it) => it.calls), notes: picks.map((it) => it.note) };
}
