import { Logger } from '@nestjs/common';
import { ChatStreamAssembler } from '../answers/chat-stream.assembler.js';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import { textOf } from '../answers/text-of.js';
import { WrappedChatModel } from '../wrapping/wrapped-chat.model.js';

import { DeltaConverter } from './delta.converter.js';
import { responseDeltas } from './response.deltas.js';

/**
 * Around a local model that writes its calls as text, as many do whose server does not know their
 * format: `{"name": "find", "arguments": {…}}` (or `parameters`) as the whole answer, in a code
 * fence or not, or `<tool_call>…</tool_call>` anywhere in it. They become calls if they name a tool
 * of the request, which may be called, and the answer has no other calls. A `<tool_response>` that the
 * model made up is cut off together with all that follows it, and logged as a warning.
 *
 * Text is streamed as it comes, but for what may still be such markup.
 */
export class TextCallsModel extends WrappedChatModel implements ChatModel {
  private readonly logger = new Logger('AgentTools');

  constructor(model: ChatModel) {
    super(model, 'withToolCalling()');
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const response = await this.model.generate(request, options);
    if (!MAY_HAVE_MARKUP.test(textOf(response))) return response;
    // The same way as a stream, so that both give the same.
    const converter = converterFor(request);
    const assembler = new ChatStreamAssembler();
    for (const delta of responseDeltas(response)) {
      for (const converted of converter.push(delta)) assembler.push(converted);
    }
    for (const converted of converter.end()) assembler.push(converted);
    this.report(converter);
    return assembler.finish();
  }

  async *stream(request: ChatRequest, options: ChatOptions = {}): AsyncGenerator<ChatDelta> {
    const converter = converterFor(request);
    try {
      for await (const delta of this.model.stream(request, options)) yield* converter.push(delta);
    } catch (error) {
      // The text up to the break is of use.
      yield* converter.end();
      throw error;
    }
    yield* converter.end();
    this.report(converter);
  }

  private report({ isCut }: DeltaConverter): void {
    if (!isCut) return;
    this.logger.warn(
      `The model "${this.name}" made up the result of a tool; its answer was cut off there.`,
    );
  }
}

const MAY_HAVE_MARKUP = /^\s*(?:\{|```)|<tool_/;

/** What looks like a call of a tool that must not be called is text. */
function converterFor({ tools = [], toolChoice }: ChatRequest): DeltaConverter {
  return new DeltaConverter(new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name)));
}
