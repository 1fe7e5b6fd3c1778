import type { WireChoice, WireMessage } from './interfaces/chat-completions.interface.js';

/** Perplexity sends the message so far beside each piece, so a `message` alone says little. */
export function isComplete({ delta, message }: WireChoice): boolean {
  return Boolean(message) && !delta;
}

/**
 * The choice of a complete answer that counts: the first with calls, else the first. GitHub's
 * gateway puts a text and the calls after it into two choices.
 */
export function chooseComplete(choices: readonly WireChoice[]): WireChoice | undefined {
  return choices.find(({ message }) => hasCalls(message)) ?? choices[0];
}

function hasCalls(message: WireMessage | null | undefined): boolean {
  return Array.isArray(message?.tool_calls) && message.tool_calls.length > 0;
}

/** In a complete message each entry is a call of its own, whatever ids it repeats. */
export function withIndexes(message: WireMessage): WireMessage {
  if (!Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls as NonNullable<WireMessage['tool_calls']>;
  return { ...message, tool_calls: calls.map((call, index) => call && { ...call, index }) };
}
