import type { AssistantMessage, AssistantPart } from 'nestjs-agent-tools';
import { REASONING_FIELDS } from '../answer/reasoning-fields.js';
import type { LangChainBlock, LangChainMessage } from '../interfaces/langchain-model.interface.js';
import { fieldsOf, isEmpty, type Fields } from '../values.js';
import { encodeBlock } from './content-block.encoder.js';
import type { Encoding } from './interfaces/encoding.interface.js';
import { encodeResponse } from './response-metadata.encoder.js';
import { encodeToolCall, type EncodedCall } from './tool-call.encoder.js';

/**
 * A turn of the model with what its own kind wants back: blocks with signatures, `additional_kwargs`,
 * `response_metadata`. None if nothing is left of it without the reasoning of another kind.
 */
export function encodeAssistant(
  message: AssistantMessage,
  { traits, toolNames }: Encoding,
): LangChainMessage[] {
  const { metadataKey } = traits;
  const blocks: LangChainBlock[] = [];
  const calls: EncodedCall[] = [];
  let kwargs: Fields = {};
  let response: Fields = {};
  for (const part of message.content) {
    const own = fieldsOf(part.providerMetadata?.[metadataKey]);
    kwargs = { ...kwargs, ...fieldsOf(own.additional_kwargs), ...reasoningOf(part, own, kwargs) };
    response = { ...response, ...fieldsOf(own.response_metadata) };
    if (part.type === 'tool-call') calls.push(encodeToolCall(part, metadataKey, toolNames));
    else blocks.push(...encodeBlock(part, fieldsOf(own.block)));
  }
  if (blocks.length === 0 && calls.length === 0) return [];
  const kept = encodeResponse(response, message);
  return [
    {
      role: 'assistant',
      content: encodeContent(blocks, traits.callsAreBlocks ? calls : []),
      tool_calls: calls,
      ...(!isEmpty(kwargs) && { additional_kwargs: kwargs }),
      ...(!isEmpty(kept) && { response_metadata: kept }),
    },
  ];
}

/** Text alone is text: not every provider's package takes a list then, nor the calls beside it. */
function encodeContent(
  blocks: readonly LangChainBlock[],
  calls: readonly EncodedCall[],
): LangChainMessage['content'] {
  if (blocks.every((block) => Object.keys(block).length === 2 && typeof block.text === 'string')) {
    return blocks.map(({ text }) => text as string).join('');
  }
  return [
    ...blocks.map((block) => ({ ...block })),
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ];
}

/** Some keep what the model thought beside its content, DeepSeek for example. */
function reasoningOf(part: AssistantPart, { field }: Fields, kwargs: Fields): Fields {
  if (part.type !== 'reasoning' || typeof field !== 'string') return {};
  if (!REASONING_FIELDS.includes(field)) return {};
  const before = kwargs[field];
  return { [field]: typeof before === 'string' ? before + part.text : part.text };
}
