import { isRecord } from 'nestjs-agent-tools/model-kit';
import type { ProviderOptions, SdkPart } from '../interfaces/sdk-call.interface.js';

/** Told in streams only, and taken back by nobody. */
const EVENTS = new Set<unknown>(['anthropic.message_start']);

/**
 * A call that the provider itself has run, its result, or a block that only the provider knows, in the
 * form in which it goes back with the conversation.
 */
export function toOpaquePart(part: Readonly<Record<string, unknown>>): SdkPart | undefined {
  const { type, toolCallId, toolName, kind, providerMetadata } = part;
  const options: { providerOptions?: ProviderOptions } = isRecord(providerMetadata)
    ? { providerOptions: providerMetadata }
    : {};
  switch (type) {
    case 'tool-call':
      return {
        type,
        toolCallId,
        toolName,
        input: toInput(part.input),
        providerExecuted: true,
        ...options,
      };
    case 'tool-result':
      // A later result takes the place of a preliminary one.
      if (part.preliminary === true) return undefined;
      return {
        type,
        toolCallId,
        toolName,
        output: toOutput(part.result, part.isError === true),
        ...options,
      };
    case 'custom':
      return EVENTS.has(kind) ? undefined : { type, kind, ...options };
    default:
      return undefined;
  }
}

function toInput(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function toOutput(result: unknown, isError: boolean): object {
  const value = result ?? null;
  if (typeof value === 'string') return { type: isError ? 'error-text' : 'text', value };
  return { type: isError ? 'error-json' : 'json', value };
}
