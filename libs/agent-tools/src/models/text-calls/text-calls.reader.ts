import { findMarkup } from './markup.js';
import { CALL_TAG, RESPONSE_TAG } from './tags.js';
import type { TextCall } from './interfaces/text-call.interface.js';
import { unfence } from './unfence.js';
import { readWholeCall } from './whole-call.js';

export interface TextCalls {
  /** What remains as text. */
  readonly text: string;
  readonly calls: readonly TextCall[];
  /** Whether the text went on with a made-up result, which was cut off. */
  readonly isCut: boolean;
}

/** Takes the calls out of a complete text. */
export function readTextCalls(text: string, names: ReadonlySet<string>): TextCalls {
  const whole = readWholeCall(text, names);
  if (whole) return { text: '', calls: [whole], isCut: false };
  const content = unfence(text);
  const hasFencedBlocks = content?.startsWith(CALL_TAG) === true && !content.includes('```');
  const result = readBlocks(hasFencedBlocks ? content : text, names);
  if (hasFencedBlocks && result.calls.length === 0) return readBlocks(text, names);
  if (!result.isCut || result.calls.length > 0) return result;
  const beforeCut = readWholeCall(result.text, names);
  return beforeCut ? { text: '', calls: [beforeCut], isCut: true } : result;
}

/** What stays between calls is kept as it is, unless it is blank. */
function readBlocks(text: string, names: ReadonlySet<string>): TextCalls {
  const calls: TextCall[] = [];
  const between: string[] = [];
  let rest = text;
  let markup = findMarkup(rest, names);
  while (markup?.call) {
    calls.push(markup.call);
    between.push(rest.slice(0, markup.start));
    rest = rest.slice(markup.end);
    markup = findMarkup(rest, names);
  }
  // What stayed open is text, but a made-up result in it is not.
  const cut = markup ? rest.indexOf(RESPONSE_TAG, markup.start) : -1;
  between.push(cut < 0 ? rest : rest.slice(0, cut));
  const kept = calls.length > 0 ? between.filter((part) => part.trim() !== '') : between;
  return { text: kept.join(''), calls, isCut: cut >= 0 };
}
