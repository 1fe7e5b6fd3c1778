import { isText } from 'nestjs-agent-tools/model-kit';
import type { BlockDecoder } from '../interfaces/block-decoder.interface.js';
import { OpaqueBlockDecoder } from './opaque-block.decoder.js';
import { TextBlockDecoder } from './text-block.decoder.js';
import { ThinkingBlockDecoder } from './thinking-block.decoder.js';
import { ToolUseBlockDecoder } from './tool-use-block.decoder.js';

/** `undefined` for what is no block. */
export function createBlockDecoder(
  block: Readonly<Record<string, unknown>>,
  index: number,
): BlockDecoder | undefined {
  const { type } = block;
  switch (type) {
    case 'text':
      return new TextBlockDecoder(block, index);
    case 'thinking':
    case 'redacted_thinking':
      return new ThinkingBlockDecoder(block, index);
    case 'tool_use':
      return new ToolUseBlockDecoder(block, index);
    default:
      return isText(type) ? new OpaqueBlockDecoder({ ...block, type }, index) : undefined;
  }
}

/** For a piece of a block whose beginning never came. */
export function createForDelta(deltaType: unknown, index: number): BlockDecoder | undefined {
  if (deltaType === 'text_delta') return new TextBlockDecoder({}, index);
  return deltaType === 'thinking_delta' ? new ThinkingBlockDecoder({}, index) : undefined;
}
