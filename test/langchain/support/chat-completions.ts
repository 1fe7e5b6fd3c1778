import type { ServerResponse } from 'node:http';
import { ChatOpenAI } from '@langchain/openai';
import { sendJson, startEvents } from '../../models/test-server.js';

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

export const FOUND_USAGE = {
  inputTokens: 11,
  outputTokens: 7,
  totalTokens: 18,
  cacheReadTokens: 4,
  reasoningTokens: 3,
};

/** LangChain's own model, asking a server of a test. */
export function chatOpenAI(
  url: string,
  fields: ConstructorParameters<typeof ChatOpenAI>[0] = {},
): ChatOpenAI {
  return new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: 'sk-test-1234567890abcdef',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
    ...(fields as object),
  });
}

export function completion(message: object, finish_reason: string | null = 'stop'): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-4o-mini',
    choices: [
      { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason },
    ],
    usage: USAGE,
  };
}

export function sendCompletion(
  response: ServerResponse,
  message: object,
  finish_reason: string | null = 'stop',
): void {
  sendJson(response, 200, completion(message, finish_reason));
}

export function sendChunk(
  response: ServerResponse,
  delta: object,
  finish_reason: string | null = null,
): void {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, delta, finish_reason }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** A whole streamed answer. */
export function streamCompletion(
  response: ServerResponse,
  deltas: readonly object[],
  finish_reason: string | null = 'stop',
): void {
  startEvents(response);
  sendChunk(response, { role: 'assistant', content: '' });
  for (const delta of deltas) sendChunk(response, delta);
  if (finish_reason) sendChunk(response, {}, finish_reason);
  response.write(`data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage: USAGE })}\n\n`);
  response.end('data: [DONE]\n\n');
}
