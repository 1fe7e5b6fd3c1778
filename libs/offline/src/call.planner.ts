import MiniSearch from 'minisearch';
import type { ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { extractArguments, findValues, type Span } from './argument.extractor.js';
import { contentWords } from './word.normalizer.js';

const LEAD = /\b(?:in|to|into|for|from|of|by|with|about|at|on|near) (?:the |an? )?$/i;
const WORD = /[\p{L}\d]+|./gu;
const BREAK = /(?<!\b(?:Dr|Mrs?|Ms))[;.?!\n]+(?=\s|$)|,(?!\d)|\b(?:and|then|also|plus)\b/gi;
/** What is not wished for speaks for no tool, though its values may be those of another one. */
const NEGATED = /\b(?:do not|don['’]t|never|not to|please not|without)\b[^,.;!?]*/gi;
/** "Cancel a booking" names an act, which has to be asked for; "Convert an amount" does no harm. */
const ACT = /^(?!convert|calculat|translat|estimat|evaluat)\w+(?= (?:an?|the|all|one)\b)/i;

/** Decides which tools a prompt asks for, and with which arguments; `notes` say what is missing. */
export function planCalls(prompt: string, own: readonly ChatTool[], choice: ToolChoice) {
  const tools = typeof choice === 'object' ? own.filter(({ name }) => name === choice.tool) : own;
  const index = new MiniSearch({ fields: ['name', 'description', 'args'], tokenize: contentWords });
  index.addAll(tools.map((it, id) => ({ ...it, id, args: JSON.stringify(it.inputSchema) })));
  const inputs = tools.map(({ inputSchema }) => findValues(inputSchema, prompt));
  const words = new Set(tools.flatMap((it) => contentWords(`${it.name} ${it.description}`)));
  const knows = (text: string) => contentWords(text).every((word) => words.has(word));

  const pickFor = (start: number, end = prompt.length, any = false) => {
    const text = prompt.slice(start, end);
    const wish = text.replace(NEGATED, '');
    const said = contentWords(wish);
    const hits = index.search(wish, { boost: { name: 2, description: 1.5 }, prefix: true });
    // The longest part that no argument has taken, without the words of the tools around it.
    const rest = (used: Span[], free: boolean) => {
      let open = text;
      for (const it of used) open = open.replace(prompt.slice(it.start, it.end), '\n');
      const parts = open.split('\n').map((part) => {
        const bare = part.replace(WORD, (it) => (knows(it) ? ' '.repeat(it.length) : it));
        const at = bare.length - bare.trimStart().length;
        return free || LEAD.test(part.slice(0, at)) ? part.slice(at, bare.trimEnd().length) : '';
      });
      return parts.sort((a, b) => b.length - a.length)[0];
    };
    const all = tools.map((tool, id) => {
      const { score = 0 } = hits.find((hit) => hit.id === id) ?? {};
      const found = extractArguments(inputs[id], { prompt, start, end, rest });
      const calls = found.calls.map((it) => ({ name: tool.name, arguments: JSON.stringify(it) }));
      const [act] = contentWords(ACT.exec(tool.description)?.[0] ?? '');
      const asked = !act || said.includes(act) || said.includes(contentWords(tool.name)[0]);
      const meant = any || (asked && (score > 0 || found.rank > 3.5));
      const note = calls.length > 0 ? '' : `${tool.name} needs ${found.missing.join(' and ')}.`;
      return { calls, note, meant, rank: score / 2 + found.rank };
    });
    const options = all.filter(({ meant }) => meant).sort((a, b) => b.rank - a.rank);
    const ready = options.find((it) => it.calls.length > 0 && it.rank >= options[0].rank - 4);
    return ready ? [ready] : options.slice(0, 1);
  };

  const cuts = [0, ...[...prompt.matchAll(BREAK)].slice(0, 20).map((it) => it.index)];
  // `…, reason "broken"` goes on with the arguments of the clause before it.
  const keys = new Set(inputs.flat().map(({ key }) => key));
  const isNew = (cut: number) => !keys.has(/\w+/.exec(prompt.slice(cut))?.[0] ?? '');
  const starts = cuts.filter((cut, at) => !at || (isNew(cut) && pickFor(cut, cuts[at + 1])[0]));
  const picks = starts.flatMap((start, at) => pickFor(start, starts[at + 1]));
  if (choice !== 'auto' && picks.length === 0) picks.push(...pickFor(0, prompt.length, true));
  return { calls: picks.flatMap((it) => it.calls), notes: picks.map((it) => it.note) };
}
