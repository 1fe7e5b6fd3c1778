import type { ChatDelta, FinishReason } from 'nestjs-agent-tools';
import { worseFinish } from 'nestjs-agent-tools/model-kit';
import type { ModelTraits } from '../profile/model-traits.js';
import { fieldsOf, listOf, textIn, type Fields } from '../values.js';
import { ContentDecoder } from './content.decoder.js';
import { decodeFinishReason } from './finish-reason.decoder.js';
import { MessageMetadataDecoder } from './message-metadata.decoder.js';
import { REASONING_FIELDS } from './reasoning-fields.js';
import { decodeToolCalls } from './tool-call.decoder.js';
import { UsageAccumulator } from './usage.accumulator.js';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

/** One answer of a LangChain model: a whole message, or the chunks of one. */
export class MessageDecoder {
  private readonly content: ContentDecoder;
  private readonly metadata = new MessageMetadataDecoder();
  private readonly usage = new UsageAccumulator();
  private firstCall?: ToolCallDelta;
  private calls = 0;
  private reason?: FinishReason;
  private isRefused = false;

  constructor(
    private readonly traits: ModelTraits,
    private readonly whole: boolean,
    /** Whether calls are left out: none were to be made, but the model cannot be told. */
    private readonly dropsCalls = false,
  ) {
    this.content = new ContentDecoder(traits.metadataKey);
  }

  decode(message: object): ChatDelta[] {
    const fields = message as Fields;
    const kwargs = fieldsOf(fields.additional_kwargs);
    const { completion } = fieldsOf(fields.response_metadata);
    // Of several answers to one request the first is taken, as LangChain's `invoke` does.
    if (typeof completion === 'number' && completion > 0) return [];
    const calls = this.decodeCalls(fields);
    const reason = decodeFinishReason(fields);
    const usage = this.usage.add(fields.usage_metadata);
    this.firstCall ??= calls[0];
    if (reason) this.reason = worseFinish(this.reason, reason);
    this.metadata.push(fields);
    return [
      ...this.reasoning(fields.content, kwargs),
      ...this.content.decode(fields.content, this.whole),
      ...this.refusal(kwargs),
      ...calls,
      ...(usage ? [{ type: 'usage', usage } as const] : []),
    ];
  }

  /** What is left when the model has ended. Without a `finish` piece the answer was cut off. */
  end(): ChatDelta[] {
    const { content, firstCall, traits } = this;
    const deltas = content.end();
    const metadata = this.metadata.end();
    if (metadata && firstCall) {
      const { id, index } = firstCall;
      const providerMetadata = { [traits.metadataKey]: metadata };
      deltas.push({ type: 'tool-call', id, index, providerMetadata });
    } else if (metadata) {
      deltas.push(content.attach(metadata));
    }
    const reason = this.finishReason();
    return reason ? [...deltas, { type: 'finish', reason }] : deltas;
  }

  private decodeCalls(fields: Fields): ToolCallDelta[] {
    if (this.dropsCalls) return [];
    const calls = decodeToolCalls(fields, this.traits.metadataKey, this.calls);
    this.calls += calls.length;
    return calls;
  }

  private finishReason(): FinishReason | undefined {
    if (this.isRefused) return 'content-filter';
    const { reason, firstCall, traits, whole, dropsCalls } = this;
    if (reason) return dropsCalls && reason === 'tool-calls' ? 'stop' : reason;
    if (traits.givesFinishReason && !whole) return undefined;
    return firstCall ? 'tool-calls' : 'stop';
  }

  private reasoning(content: unknown, kwargs: Fields): ChatDelta[] {
    const field = REASONING_FIELDS.find((name) => textIn(kwargs[name]));
    if (!field || listOf(content).some(isReasoning)) return [];
    return this.content.reasoning(kwargs[field] as string, field);
  }

  private refusal({ refusal }: Fields): ChatDelta[] {
    const text = textIn(refusal);
    if (!text || this.isRefused) return [];
    this.isRefused = true;
    return this.content.text(text);
  }
}

/** Standard content (`outputVersion: 'v1'`) repeats the reasoning that is beside it. */
function isReasoning(block: unknown): boolean {
  const { type } = fieldsOf(block);
  return type === 'reasoning' || type === 'thinking' || type === 'reasoning_content';
}
