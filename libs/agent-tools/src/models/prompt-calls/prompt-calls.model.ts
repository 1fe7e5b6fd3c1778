import { Logger } from '@nestjs/common';
import { ChatStreamAssembler } from '../answers/chat-stream.assembler.js';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import type { ToolSchemaDialects } from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import { unchangedDialect } from '../../schemas/dialects/unchanged.dialect.js';
import { responseDeltas } from '../text-calls/response.deltas.js';
import { WrappedChatModel } from '../wrapping/wrapped-chat.model.js';
import { AnswerConverter } from './answer.converter.js';
import { leavable } from './leavable.stream.js';
import { toPromptRequest } from './prompt.request.js';
import { SilencedConverter } from './silenced.converter.js';

/** Schemas are told as they are, and nothing makes a model follow them. */
const AS_TOLD: ToolSchemaDialects = { plain: unchangedDialect };

/** Calls tools by the prompt, with a model that knows nothing of calls. */
export class PromptCallsModel extends WrappedChatModel implements ChatModel {
  private readonly logger = new Logger('AgentTools');

  constructor(model: ChatModel) {
    super(model, 'withToolCalling()');
  }

  override get toolSchemas(): ToolSchemaDialects {
    return AS_TOLD;
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const response = await this.model.generate(toPromptRequest(request), options);
    const converter = converterOf(request);
    if (!converter) return response;
    // The same way as a stream, so that both give the same.
    const assembler = new ChatStreamAssembler();
    for (const delta of responseDeltas(response)) {
      if (converter.isCut && delta.type !== 'usage') continue;
      for (const converted of converter.push(delta)) assembler.push(converted);
    }
    this.report(converter);
    for (const converted of converter.end()) assembler.push(converted);
    return assembler.finish();
  }

  async *stream(request: ChatRequest, options: ChatOptions = {}): AsyncGenerator<ChatDelta> {
    const deltas = this.model.stream(toPromptRequest(request), options);
    const converter = converterOf(request);
    if (!converter) return yield* deltas;
    try {
      for await (const delta of leavable(deltas, () => converter.isCut)) {
        yield* converter.push(delta);
        // Leaving the stream closes the connection: what follows was made up.
        if (converter.isCut) break;
      }
    } catch (error) {
      // The text up to the break is of use.
      yield* converter.giveUp();
      throw error;
    }
    this.report(converter);
    yield* converter.end();
  }

  private report({ isCut }: { readonly isCut: boolean }): void {
    if (!isCut) return;
    this.logger.warn(
      `The model "${this.name}" made up the result of a tool; its answer was cut off there.`,
    );
  }
}

function converterOf({
  tools = [],
  toolChoice,
}: ChatRequest): AnswerConverter | SilencedConverter | undefined {
  if (tools.length === 0) return undefined;
  const names = new Set(tools.map(({ name }) => name));
  return toolChoice === 'none' ? new SilencedConverter(names) : new AnswerConverter(names);
}
