/** Words that introduce an object without being a name for it. */
const INTRODUCTIONS =
  /^(?:the )?(?:arguments?|args|parameters?|params|(?:action[ _]|tool[ _])?input|json|call|output|answer|response|result)$/i;
const THOUGHT_TAG = /<\/?(?:think|thinking|reasoning|reflection|scratchpad|analysis)\b/i;
/** Formats in which some models write each argument on its own. */
const ARGUMENT_TAG = /<\w+=|<arg_|<param|<!--/i;
const ASSIGNMENT = /[\w\])]\s?=(?!=)/;
/** A line that looks like an argument of its own: `b: 2`, `- c: 'x'`. */
const ARGUMENT_LINE =
  /^[ \t]*(?:[-*][ \t]*)?[\w.-]+[ \t]?:[ \t]*(?:[\d"'[{“‘-]|(?:true|false|null|none)\b)/im;
/** Options of a command line, rows of a table. */
const OTHER_ARGUMENTS = /(?:^|\s)--\w|^\s*\|/m;
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
  const isNamed = label !== undefined && names !== undefined && mayBeName(label, names);
  const isIntroduced = label !== undefined && !isNamed && INTRODUCTIONS.test(label);
  if (label !== undefined && !isIntroduced && mayBeName(label, names)) return true;
  return (
    /["'”’[\]}]$/.test(before) ||
    /["'”’]\s?:/.test(before) ||
    /(?:^|[^A-Za-z\s])\s?,$/.test(before.slice(-4)) ||
    before.startsWith('[') ||
    before.split('"').length % 2 === 0 ||
    COMMENT_LINE.test(lastLine) ||
    lastLine.includes('/*') ||
    /<\/(?!think)\w/.test(before) ||
    (before.endsWith(',') && before.lastIndexOf('(') > before.lastIndexOf(')')) ||
    endsWithName(before, names) ||
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
  if (OTHER_ARGUMENTS.test(text)) return true;
  const plain = withoutMarkup(text);
  return names.some((name) => namePattern(name, FOLLOWED_BY_VALUE)?.test(plain));
}

function endsWithName(before: string, names: readonly string[] = []): boolean {
  const plain = withoutMarkup(before).slice(-200);
  return names.some((name) => namePattern(name, AT_THE_END)?.test(plain));
}

const FOLLOWED_BY_VALUE = '(?:[ \\t]*\\([^)\\n]{0,40}\\))?[ \\t]*(?::|=|->|→|：|\\||>)';
const AT_THE_END = '(?:[ \\t]*\\([^)\\n]{0,40}\\))?[\\s:：=>→-]*$';

function withoutMarkup(text: string): string {
  return text.replaceAll(/[*`~"'“”‘’]/g, '');
}

/** A name as people write it, too: `orderNo` as "Order no" or "order_no". */
function namePattern(name: string, following: string): RegExp | undefined {
  const words = name.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[\\s_-]{0,3}')}${following}`, 'iu');
}
