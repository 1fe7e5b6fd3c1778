const THOUGHT = /^\s*<(think|thinking)>[^]*?<\/\1>/;
const TAGGED = /^\s*<(tool_call|function_call|tool_use)>([^]*?)(?:<\/\1>\s*)?$/;
const FENCED = /^\s*```[ \t]*[\w-]*[ \t]*\n([^]*?)(?:\n[ \t]*```\s*)?$/;

/** Drops what a model thought aloud before it wrote the arguments. */
export function stripThought(text: string, repairs: Set<string>): string {
  return strip(text, text.replace(THOUGHT, ''), 'dropped a thought', repairs);
}

/** Takes the text out of the tags in which some models write calls. */
export function stripTags(text: string, repairs: Set<string>): string {
  return strip(text, TAGGED.exec(text)?.[2] ?? text, 'dropped tags', repairs);
}

/** Takes the text out of a Markdown code block. */
export function stripFence(text: string, repairs: Set<string>): string {
  return strip(text, FENCED.exec(text)?.[1] ?? text, 'dropped a code fence', repairs);
}

function strip(before: string, after: string, repair: string, repairs: Set<string>): string {
  if (after !== before) repairs.add(repair);
  return after;
}
