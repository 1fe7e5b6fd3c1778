import { ChatStreamAssembler } from 'nestjs-agent-tools';
import type { ChatDelta, ChatOptions, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import type {
  AnswerFunction,
  FromFunctionOptions,
  FunctionAnswer,
} from '../interfaces/function-answer.interface.js';
import type { PlayedTurn } from '../interfaces/played-turn.interface.js';
import { RecordingChatModel } from './recording-chat.model.js';
import { TurnPlayer } from './turn.player.js';
import { untilAborted } from './until-aborted.js';

/**
 * Asks a function for its answers and records what it was asked. Made by `fromFunction()`.
 *
 * @publicApi
 */
export class FunctionChatModel extends RecordingChatModel {
  readonly name: string;

  private readonly player = new TurnPlayer();

  constructor(
    private readonly answer: AnswerFunction,
    { name = 'function' }: FromFunctionOptions = {},
  ) {
    super();
    this.name = name;
  }

  protected async play(request: ChatRequest, options: ChatOptions): Promise<PlayedTurn> {
    const answer = await this.answer(request, options);
    if (!isStream(answer)) return this.player.play(answer, request);
    const deltas = { [Symbol.asyncIterator]: () => read(answer, options.signal) };
    return { deltas, response: () => assemble(deltas) };
  }
}

function isStream(answer: FunctionAnswer): answer is AsyncIterable<ChatDelta> {
  return typeof answer === 'object' && Symbol.asyncIterator in answer;
}

async function assemble(deltas: AsyncIterable<ChatDelta>): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for await (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}

/** Ends with the signal, even if the function's own stream waits for something else. */
async function* read(
  deltas: AsyncIterable<ChatDelta>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatDelta> {
  const iterator = deltas[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) {
        isOpen = false;
        return;
      }
      yield next.value;
      signal?.throwIfAborted();
    }
  } finally {
    // A generator that waits answers only after its wait, so nobody must wait for it.
    if (isOpen) iterator.return?.().catch(() => {});
  }
}
