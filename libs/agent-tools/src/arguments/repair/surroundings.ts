/** Words that introduce an object without being a name for it. */
const INTRODUCTIONS =
  /^(?:(?:the )?(?:arguments?|args|parameters?|params|input|json|call|output|answer|response|result|action input|tool input|tool_input|action_input))$/i;
const THOUGHT_TAG = /<\/?(?:think|thinking|reasoning|reflection|scratchpad|analysis)\b/i;
/** Formats in which some models write each argument on its own. */
const ARGUMENT_TAG = /<\w+=|<arg_|<param|<!--/i;
const ASSIGNMENT = /[\w\])]\s?=(?!=)/;
/** A line that looks like an argument of its own: `b: 2`, `- c: 'x'`. */
const ARGUMENT_LINE =
  /^[ \t]*[-*]?[ \t]*[\w.-]+[ \t]?:[ \t]*(?:[\d"'[{“‘-]|(?:true|false|null|none)\b)/im;
const COMMENT_LINE = /^\s*(?:\/\/|#|--)/;

/**
 * Whether the text before an object leaves a doubt that the object is all that was meant.
 *
 * @param names of the arguments of the tool; without them, any word may be one
 */
export function isDoubtfulBefore(text: string, names: readonly string[] | undefined): boolean {
  const before = text.trimEnd();
  if (before === '') return false;
  const lastLine = before.slice(before.lastIndexOf('\n') + 1);
  const label = /^[ \t]*(?:[-*][ \t]*)?([^:=]{0,40})[:=]$/.exec(lastLine)?.[1].trim();
  const isIntroduced = label !== undefined && INTRODUCTIONS.test(label);
  if (label !== undefined && !isIntroduced && mayBeName(label, names)) return true;
  return (
    /["'”’[\]}]$/.test(before) ||
    /["'”’]\s?:/.test(before) ||
    /(?:^|[^A-Za-z\s])\s?,$/.test(before.slice(-4)) ||
    before.startsWith('[') ||
    before.split('"').length % 2 === 0 ||
    COMMENT_LINE.test(lastLine) ||
    lastLine.includes('/*') ||
    THOUGHT_TAG.test(before.replace(/^[^<]*<\/think(?:ing)?>/, '')) ||
    isDoubtful(isIntroduced ? before.slice(0, -1) : before, names)
  );
}

/** Whether the text after an object leaves a doubt that the object is all that was meant. */
export function isDoubtfulAfter(text: string, names: readonly string[] | undefined): boolean {
  const after = text.trim();
  return (
    /^[,:"'“‘\d|+*%&<>=]|^-(?!-*$)/.test(after.replace(/^<\/(?!think|thinking)\w+>/, '')) ||
    /[{}[\]]|["'”’]\s?:/.test(after) ||
    THOUGHT_TAG.test(after) ||
    isDoubtful(after, names)
  );
}

function mayBeName(label: string, names: readonly string[] | undefined): boolean {
  if (!names) return !label.includes(' ');
  return names.some((name) => name.toLowerCase() === label.toLowerCase());
}

function isDoubtful(text: string, names: readonly string[] = []): boolean {
  if (ARGUMENT_TAG.test(text) || ASSIGNMENT.test(text) || ARGUMENT_LINE.test(text)) return true;
  for (const name of names) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const isWord = !/\w/.test(text[at - 1] ?? ' ');
      const following = text.slice(at + name.length, at + name.length + 2);
      if (isWord && /^\s?[:=>]/.test(following)) return true;
    }
  }
  return false;
}
