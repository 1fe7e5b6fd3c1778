import type { AssistantPart } from '../interfaces/chat-message.interface.js';

/** Empty text says nothing, but providers hang signatures on it that they want back. */
export function isMeaningful(part: AssistantPart): boolean {
  return part.type !== 'text' || part.text !== '' || part.providerMetadata !== undefined;
}

/** Providers refuse a message of the assistant that neither says nor calls anything. */
export function isSendable(content: readonly AssistantPart[]): boolean {
  return content.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''),
  );
}
