import { ChatStreamAssembler } from 'nestjs-agent-tools';
import type { ChatDelta, ChatOptions, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import { checkTestOptions, describe } from '../checks/check-test-options.js';
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

  /** @throws TypeError without a function */
  constructor(
    private readonly answer: AnswerFunction,
    options: FromFunctionOptions = {},
  ) {
    super();
    if (typeof answer !== 'function') {
      throw new TypeError(
        `fromFunction() needs a function: fromFunction(({ messages }) => 'It was shipped.'); it was given ${describe(answer)}.`,
      );
    }
    checkTestOptions('fromFunction()', options, ['name'] satisfies (keyof FromFunctionOptions)[]);
    this.name = options.name ?? 'function';
  }

  protected async play(request: ChatRequest, options: ChatOptions): Promise<PlayedTurn> {
    const answer = await this.answer(request, options);
    if (!isStream(answer)) return this.player.play(answer, request, 'answer of fromFunction()');
    const deltas = { [Symbol.asyncIterator]: () => read(answer, options.signal) };
    return { deltas, response: () => assemble(deltas) };
  }
}

function isStream(answer: FunctionAnswer): answer is AsyncIterable<ChatDelta> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
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
