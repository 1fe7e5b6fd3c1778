import type { ChatMessage } from 'nestjs-agent-tools';
import { encodeAssistant } from './assistant-message.encoder.js';
import { encodeParts } from './content-part.encoder.js';
import type { WireBlock, WireTurn } from './interfaces/wire-request.interface.js';
import { encodeToolResult } from './tool-result.encoder.js';

/** Anthropic wants the user to begin. */
const OPENING: WireTurn = { role: 'user', content: [{ type: 'text', text: '(no message)' }] };

interface OpenTurn {
  readonly role: WireTurn['role'];
  readonly blocks: WireBlock[];
}

/** A conversation as it is sent: turns of the user and of the model by turns, without system messages. */
export function encodeMessages(
  messages: readonly ChatMessage[],
  toolNames: ReadonlySet<string>,
): WireTurn[] {
  const turns: OpenTurn[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = encodeBlocks(message, toolNames);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, blocks });
    else for (const block of blocks) last.blocks.push(block);
  }
  trimEnd(turns);
  const encoded = turns.map(toTurn);
  return encoded[0]?.role === 'user' ? encoded : [OPENING, ...encoded];
}

function encodeBlocks(
  message: Exclude<ChatMessage, { role: 'system' }>,
  toolNames: ReadonlySet<string>,
): WireBlock[] {
  switch (message.role) {
    case 'user':
      return encodeParts(message.content);
    case 'tool':
      return message.content.map(encodeToolResult);
    case 'assistant':
      return encodeAssistant(message, toolNames);
  }
}

/** What the model is to go on with must not end in white space. */
function trimEnd(turns: OpenTurn[]): void {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return;
  const block = last.blocks.at(-1);
  if (block?.type !== 'text') return;
  last.blocks[last.blocks.length - 1] = { ...block, text: String(block.text).trimEnd() };
}

/** Results come before all else that the user says, calls after all else that the model says. */
function toTurn({ role, blocks }: OpenTurn): WireTurn {
  const isResult = ({ type }: WireBlock) => type === 'tool_result';
  const isCall = ({ type }: WireBlock) => type === 'tool_use';
  const isMoved = role === 'user' ? isResult : isCall;
  const moved = blocks.filter(isMoved);
  if (moved.length === 0) return { role, content: blocks };
  const others = blocks.filter((block) => !isMoved(block));
  return { role, content: role === 'user' ? [...moved, ...others] : [...others, ...moved] };
}
