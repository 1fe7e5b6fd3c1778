import { cutText } from '../../utils/cut-text.js';
import { isRecord } from '../../utils/is-record.js';
import type { ChatMessage } from '../interfaces/chat-message.interface.js';
import type { ChatRequest, ToolChoice } from '../interfaces/chat-model.interface.js';

/** What a message of each role is made of. */
const PARTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['system', []],
  ['user', ['text', 'image']],
  ['assistant', ['text', 'reasoning', 'tool-call']],
  ['tool', ['tool-result']],
]);
const ROLES_OF_TEXT: readonly unknown[] = ['system', 'user'];
const CHOICES: readonly unknown[] = ['auto', 'none', 'required'];
const MAX_QUOTED = 60;

/**
 * Refuses a request in a form that is not the one of this package, such as a message in the form of a
 * provider: a part that nobody knows would be lost without a word.
 *
 * @throws TypeError that says where, and what is meant
 * @publicApi
 */
export function checkRequest({ messages, tools = [], toolChoice = 'auto' }: ChatRequest): void {
  checkMessages(messages);
  checkToolChoice(toolChoice);
  if (toolChoice === 'auto' || toolChoice === 'none') return;
  if (toolChoice === 'required' && tools.length > 0) return;
  if (typeof toolChoice === 'object' && tools.some(({ name }) => name === toolChoice.tool)) return;
  throw new TypeError(
    `The \`toolChoice\` ${quote(toolChoice)} is for tools that the request does not have. Add them to \`tools\`.`,
  );
}

/** @throws TypeError for a role or a part of a message that there is not */
export function checkMessages(messages: readonly ChatMessage[]): void {
  if (!Array.isArray(messages)) throw new TypeError('`messages` must be a list of messages.');
  messages.forEach(checkMessage);
}

/** @throws TypeError for a choice in another form than `ToolChoice` */
export function checkToolChoice(choice: ToolChoice): void {
  if (CHOICES.includes(choice)) return;
  if (isRecord(choice) && typeof choice.tool === 'string') return;
  throw new TypeError(
    `There is no \`toolChoice\` ${quote(choice)}. Give 'auto', 'none', 'required' or { tool: 'itsName' }.`,
  );
}

function checkMessage(message: unknown, index: number): void {
  const { role, content } = isRecord(message) ? message : {};
  const place = `The message at index ${index}`;
  const parts = PARTS.get(role);
  if (!parts) {
    const what = isRecord(message) ? `has the role ${quote(role)}` : `is ${quote(message)}`;
    throw new TypeError(`${place} ${what}. The roles are: ${[...PARTS.keys()].join(', ')}.`);
  }
  if (typeof content === 'string' && ROLES_OF_TEXT.includes(role)) return;
  if (!Array.isArray(content) || parts.length === 0) {
    throw new TypeError(`${place} needs as its \`content\` ${expected(role, parts)}.`);
  }
  for (const part of content as unknown[]) {
    const { type } = isRecord(part) ? part : {};
    if (typeof type === 'string' && parts.includes(type)) continue;
    throw new TypeError(
      `${place} has a part of the type ${quote(type)}. Parts of the role "${String(role)}" are: ` +
        `${parts.join(', ')}.${role === 'user' ? ' image(url) makes one of an image.' : ''}`,
    );
  }
}

function expected(role: unknown, parts: readonly string[]): string {
  if (parts.length === 0) return 'a text';
  const list = `a list of parts (${parts.join(', ')})`;
  if (role === 'user') return `a text or ${list}`;
  return role === 'assistant' ? `${list}, such as [{ type: 'text', text: '…' }]` : list;
}

function quote(value: unknown): string {
  return cutText(JSON.stringify(value) ?? String(value), MAX_QUOTED);
}
