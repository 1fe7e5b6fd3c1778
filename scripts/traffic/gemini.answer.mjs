// What an answer of Gemini holds, read as simply as can be: for comparing with what `gemini()` makes
// of it. It shares no code with the library.

const FINISH = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
};

/** A JSON body, a list of such, or the text of an event stream. An error gives `{ error }`. */
export function readAnswer(body) {
  const pieces = typeof body === 'string' ? readEvents(body) : [body].flat();
  const failed = pieces.find(({ error }) => error);
  if (failed) return { error: failed.error.message ?? failed.error };

  const candidates = pieces.map((piece) => piece.candidates?.[0]).filter(Boolean);
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []);
  const reasons = candidates.map(({ finishReason }) => finishReason).filter(Boolean);
  const blocked = pieces.some(({ promptFeedback }) => promptFeedback?.blockReason);
  const usage = pieces.map(({ usageMetadata }) => usageMetadata).findLast(Boolean);
  if (reasons.length === 0 && !blocked) return { error: '' };
  return {
    text: textOf(parts.filter(({ thought }) => !thought)),
    reasoning: textOf(parts.filter(({ thought }) => thought)),
    calls: parts
      .filter(({ functionCall }) => functionCall)
      .map(({ functionCall: { id, name, args } }) => ({
        ...(id && { id }),
        name,
        arguments: JSON.stringify(args ?? {}),
      })),
    finish: blocked ? 'content-filter' : (FINISH[reasons.at(-1)] ?? 'other'),
    usage: usage && [
      usage.promptTokenCount + (usage.toolUsePromptTokenCount ?? 0),
      (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      usage.totalTokenCount,
      usage.cachedContentTokenCount ?? 'none',
      usage.thoughtsTokenCount ?? 'none',
    ],
  };
}

function readEvents(text) {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)));
}

function textOf(parts) {
  return parts.map(({ text }) => text ?? '').join('');
}
