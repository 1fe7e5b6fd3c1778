const THOUGHT = /^\s*<(think|thinking)>[^]*?<\/\1>/;
const OPENING_TAG = /^<(tool_call|function_call|tool_use)>/;
/** Of the templates of local models. */
const END_TOKEN = /<\|[a-z_]{1,20}\|>$/;
const FENCE = '```';

/** Drops what a model thought aloud before it wrote the arguments. */
export function stripThought(text: string, repairs: Set<string>): string {
  return strip(text, text.replace(THOUGHT, ''), 'dropped a thought', repairs);
}

/** Takes the text out of the tags in which some models write calls. */
export function stripTags(text: string, repairs: Set<string>): string {
  const trimmed = text.trim().replace(END_TOKEN, '');
  const [opening, name] = OPENING_TAG.exec(trimmed) ?? [];
  if (opening === undefined) {
    return trimmed === text.trim() ? text : strip(text, trimmed, 'dropped tags', repairs);
  }
  const inner = trimmed.slice(opening.length);
  const closing = `</${name}>`;
  const content = inner.endsWith(closing) ? inner.slice(0, -closing.length) : inner;
  return strip(text, content, 'dropped tags', repairs);
}

/** Takes the text out of a Markdown code block. */
export function stripFence(text: string, repairs: Set<string>): string {
  const trimmed = text.trim();
  const firstLineEnd = trimmed.indexOf('\n');
  if (!trimmed.startsWith(FENCE) || firstLineEnd < 0) return text;
  if (!/^[\w+-]*$/.test(trimmed.slice(FENCE.length, firstLineEnd).trim())) return text;
  const inner = trimmed.slice(firstLineEnd + 1);
  const content = inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner;
  return strip(text, content, 'dropped a code fence', repairs);
}

function strip(before: string, after: string, repair: string, repairs: Set<string>): string {
  if (after !== before) repairs.add(repair);
  return after;
}
