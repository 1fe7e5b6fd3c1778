import { inPieces, toEvent, type Wire, type WireAnswer } from './wire.js';

const usageOf = ({ inputTokens = 5, outputTokens = 7 }: WireAnswer) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

const finishOf = ({ calls = [] }: WireAnswer) => (calls.length > 0 ? 'tool_calls' : 'stop');

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'test-model' };

const toChunk = (delta: object, finish: string | null = null): string =>
  toEvent({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });

export const CHAT_COMPLETIONS_WIRE: Wire = {
  path: /\/chat\/completions$/,
  isStream: (_, body) => body.stream === true,
  whole: (answer) => ({
    ...HEAD,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: finishOf(answer),
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          refusal: null,
          ...(answer.reasoning && { reasoning_content: answer.reasoning }),
          ...(answer.calls && {
            tool_calls: answer.calls.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
        },
      },
    ],
    usage: usageOf(answer),
  }),
  events: (answer) => [
    toChunk({ role: 'assistant', content: '', refusal: null }),
    ...inPieces(answer.reasoning).map((text) => toChunk({ reasoning_content: text })),
    ...inPieces(answer.text).map((content) => toChunk({ content })),
    ...(answer.calls ?? []).flatMap(({ id, name, input }, index) => [
      toChunk({
        tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
      }),
      ...inPieces(JSON.stringify(input)).map((piece) =>
        toChunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    toChunk({}, finishOf(answer)),
    toEvent({ ...HEAD, object: 'chat.completion.chunk', choices: [], usage: usageOf(answer) }),
    'data: [DONE]\n\n',
  ],
};
