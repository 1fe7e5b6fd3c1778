import type { OpenAIProfile } from './interfaces/openai-profile.interface.js';

/** The header with the key, as the server wants it. */
export function encodeKeyHeader(
  apiKey: string,
  { authorization }: OpenAIProfile,
): Record<string, string> {
  return authorization === 'api-key'
    ? { 'api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` };
}
