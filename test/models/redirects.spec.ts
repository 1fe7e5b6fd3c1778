import { describe, expect, it } from '@jest/globals';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import type { ChatModel } from 'nestjs-agent-tools';
import { failure, sendJson, startServer } from './test-server.js';

const MODELS: readonly (readonly [string, (baseURL: string) => ChatModel])[] = [
  ['openai', (baseURL) => openai({ model: 'm', baseURL, apiKey: 'sk-secret' })],
  ['azure', (baseURL) => openai({ model: 'm', baseURL, profile: 'azure', apiKey: 'azure-secret' })],
  ['anthropic', (baseURL) => anthropic({ model: 'claude', baseURL, apiKey: 'claude-secret' })],
  ['gemini', (baseURL) => gemini({ model: 'gemini', baseURL, apiKey: 'gemini-secret' })],
];

describe.each(MODELS)('a redirection of %s', (_, create) => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is not followed, as the key would be',
    async (status) => {
      const thief = await startServer((response) => sendJson(response, 200, {}));
      const server = await startServer((response) => {
        response.writeHead(status, { location: `${thief.url}/v1` });
        response.end();
      });
      const error = await failure(create(server.url).generate({ messages: [] }, {}));
      expect(error).toMatchObject({ status, retryable: false });
      expect(error.message).toContain('`baseURL`');
      expect(thief.requests).toEqual([]);
      expect(server.requests).toHaveLength(1);
    },
  );
});
