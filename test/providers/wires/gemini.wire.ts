import { inPieces, toEvent, type Wire, type WireAnswer } from './wire.js';

const usageOf = ({ inputTokens = 5, outputTokens = 7 }: WireAnswer) => ({
  promptTokenCount: inputTokens,
  candidatesTokenCount: outputTokens,
  totalTokenCount: inputTokens + outputTokens,
});

const SIGNATURE = 'c2lnbmF0dXJl';

const callsOf = ({ calls = [] }: WireAnswer): object[] =>
  calls.map(({ id, name, input }, index) => ({
    functionCall: { id, name, args: input },
    ...(index === 0 && { thoughtSignature: SIGNATURE }),
  }));

const toResponse = (answer: WireAnswer, parts: object[], finish?: string): object => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finish && { finishReason: finish }) },
  ],
  usageMetadata: usageOf(answer),
  modelVersion: 'test-model',
  responseId: 'r1',
});

export const GEMINI_WIRE: Wire = {
  path: /:(?:generateContent|streamGenerateContent)$/,
  isStream: (url) => url.includes(':streamGenerateContent'),
  whole: (answer) =>
    toResponse(
      answer,
      [
        ...(answer.reasoning ? [{ text: answer.reasoning, thought: true }] : []),
        ...(answer.text ? [{ text: answer.text }] : []),
        ...callsOf(answer),
      ],
      'STOP',
    ),
  events: (answer) => [
    ...inPieces(answer.reasoning).map((text) =>
      toEvent(toResponse(answer, [{ text, thought: true }])),
    ),
    ...inPieces(answer.text).map((text) => toEvent(toResponse(answer, [{ text }]))),
    ...callsOf(answer).map((part) => toEvent(toResponse(answer, [part]))),
    toEvent(toResponse(answer, [{ text: '' }], 'STOP')),
  ],
};
