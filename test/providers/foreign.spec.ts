import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ChatModel, ChatTool } from 'nestjs-agent-tools';
import {
  openai,
  openaiResponses,
  type OpenAIOptions,
  type OpenAIProfileName,
} from 'nestjs-agent-tools/openai';

type Send = typeof globalThis.fetch;
type Make = (fetch: Send) => ChatModel;

const COMMON = { apiKey: 'k', retry: { maxRetries: 0 } };
const USER: ChatMessage = { role: 'user', content: 'Where is it?' };
const TOOL: ChatTool = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: {} },
};

interface Sent {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly input: readonly Readonly<Record<string, unknown>>[];
}

/** What the second model is sent of an answer of the first one that was stored as JSON. */
async function continued(answer: object, from: Make, to: Make): Promise<Sent> {
  const { content } = await from(async () => Response.json(answer)).generate({
    messages: [USER],
    tools: [TOOL],
  });
  const call = content.find((part) => part.type === 'tool-call');
  const result = { type: 'tool-result', callId: call?.id, name: 'find', status: 'success' };
  const messages = [
    USER,
    { role: 'assistant', content },
    { role: 'tool', content: [{ ...result, content: 'ok' }] },
  ];
  let body = '';
  const second = to(async (_, init) => {
    body = String(init?.body);
    return Response.json(answer);
  });
  const stored = JSON.parse(JSON.stringify(messages)) as ChatMessage[];
  await second.generate({ messages: stored, tools: [TOOL] });
  return JSON.parse(body) as Sent;
}

const chat =
  (options: Partial<OpenAIOptions>): Make =>
  (fetch) =>
    openai({ model: 'm', ...COMMON, ...options, fetch });
const of = (profile: OpenAIProfileName): Make => chat({ profile });
const at = (baseURL: string): Make => chat({ baseURL });
const responses =
  (baseURL?: string): Make =>
  (fetch) =>
    openaiResponses({ model: 'gpt-5', ...COMMON, ...(baseURL && { baseURL }), fetch });

const CALL = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } };
const answering = (message: object) => ({
  choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [CALL], ...message } }],
});
const SIGNATURE = { google: { thought_signature: 'GOOGLE' } };
const OF_GOOGLE = answering({ tool_calls: [{ ...CALL, extra_content: SIGNATURE }] });
const DETAILS = [{ type: 'reasoning.encrypted', data: 'ENCRYPTED', id: 'r1', index: 0 }];
const OF_OPENROUTER = answering({ reasoning: 'Hm.', reasoning_details: DETAILS });
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta/openai';

describe('what only one server of Chat Completions understands', () => {
  it('goes back to it, through a store', async () => {
    const google = await continued(OF_GOOGLE, at(GOOGLE), at(GOOGLE));
    expect(google.messages[1]).toHaveProperty('tool_calls.0.extra_content', SIGNATURE);
    const { messages } = await continued(OF_OPENROUTER, of('openrouter'), of('openrouter'));
    expect(messages[1]).toMatchObject({ reasoning_details: DETAILS });
  });

  it.each(['openai', 'groq', 'mistral', 'deepseek', 'openrouter'] as const)(
    'does not go to %s: the signature of Google',
    async (profile) => {
      const { messages } = await continued(OF_GOOGLE, at(GOOGLE), of(profile));
      expect(messages[1]).toHaveProperty('tool_calls.0.function.name', 'find');
      expect(JSON.stringify(messages)).not.toMatch(/extra_content|GOOGLE/);
    },
  );

  it.each(['openai', 'groq', 'cerebras', 'ollama', 'deepseek', 'mistral'] as const)(
    'does not go to %s: the details of reasoning of OpenRouter, and what was thought',
    async (profile) => {
      const { messages } = await continued(OF_OPENROUTER, of('openrouter'), of(profile));
      expect(messages[1]).toHaveProperty('tool_calls.0.function.name', 'find');
      expect(JSON.stringify(messages)).not.toMatch(/reasoning_details|ENCRYPTED|Hm\./);
    },
  );

  it('is told apart by host and port, if nobody knows the servers', async () => {
    const one = at('http://localhost:4000/v1');
    const same = await continued(OF_GOOGLE, one, at('http://localhost:4000/other'));
    expect(JSON.stringify(same)).toContain('GOOGLE');
    for (const baseURL of ['http://localhost:5000/v1', 'http://127.0.0.1:4000/v1', undefined]) {
      const other = await continued(OF_GOOGLE, one, chat({ ...(baseURL && { baseURL }) }));
      expect(JSON.stringify(other)).not.toContain('GOOGLE');
    }
  });

  it.each(['openai', 'openrouter', 'gemini'])(
    'is not that of a provider because a server has its name as host: %s',
    async (host) => {
      const answer = await at(`http://${host}/v1`)(async () => Response.json(OF_GOOGLE)).generate({
        messages: [USER],
      });
      expect(Object.keys(answer.content[0]?.providerMetadata ?? {})).toEqual([`${host}:80`]);
    },
  );

  it('is kept under the name that the application gives to its server', async () => {
    const named = (baseURL: string) => chat({ baseURL, profile: { name: 'gateway' } });
    const sent = await continued(OF_GOOGLE, named('http://a/v1'), named('http://b/v1'));
    expect(JSON.stringify(sent)).toContain('GOOGLE');
    const other = await continued(OF_GOOGLE, named('http://a/v1'), at('http://a/v1'));
    expect(JSON.stringify(other)).not.toContain('GOOGLE');
  });

  it('follows the server that a request names, and leaves the name of the model alone', async () => {
    const model = at('http://a/v1')(async () => Response.json(OF_GOOGLE));
    expect(model.name).toBe('openai:m');
    const keys = [];
    for (const baseURL of ['http://b/v1', 'https://c/v1', 'http://a/v1']) {
      const { content } = await model.generate({ messages: [USER], settings: { baseURL } });
      keys.push(...Object.keys(content[0]?.providerMetadata ?? {}));
    }
    expect(keys).toEqual(['b:80', 'c:443', 'a:80']);
  });
});

describe('reasoning as text', () => {
  const thoughtOf = (metadata?: object): ChatMessage[] => [
    USER,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', ...(metadata && { providerMetadata: metadata }) },
        { type: 'tool-call', id: 'a', name: 'find', arguments: '{}' },
      ] as never,
    },
  ];
  const sentTo = async (profile: OpenAIProfileName, messages: ChatMessage[]) => {
    let body = '';
    const model = of(profile)(async (_, init) => {
      body = String(init?.body);
      return Response.json(answering({}));
    });
    await model.generate({ messages, tools: [TOOL] });
    return (JSON.parse(body) as Sent).messages[1];
  };

  it.each(['groq', 'mistral', 'deepseek', 'openrouter', 'ollama', 'cerebras', 'zai'] as const)(
    'goes back to %s, unless another provider has left its mark on it',
    async (profile) => {
      const foreign = { anthropic: { block: { type: 'thinking', signature: 's' } } };
      expect(JSON.stringify(await sentTo(profile, thoughtOf()))).toContain('Hm.');
      const own = { [profile]: { index: 0 } };
      expect(JSON.stringify(await sentTo(profile, thoughtOf(own)))).toContain('Hm.');
      expect(JSON.stringify(await sentTo(profile, thoughtOf(foreign)))).not.toContain('Hm.');
    },
  );

  it('of another provider is an empty one for DeepSeek, which refuses a call without', async () => {
    const message = await sentTo('deepseek', thoughtOf({ gemini: { thoughtSignature: 's' } }));
    expect(message).toMatchObject({ reasoning_content: '' });
  });
});

describe('encrypted reasoning of the Responses API', () => {
  const ANSWER = {
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'FOREIGN' },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'find', arguments: '{}' },
    ],
  };
  const sent = async (from: string | undefined, to: string | undefined) =>
    JSON.stringify((await continued(ANSWER, responses(from), responses(to))).input);

  it('goes back to the server that it came from', async () => {
    expect(await sent(undefined, undefined)).toContain('FOREIGN');
    expect(await sent('https://llm.example/v1', 'https://llm.example/v2')).toContain('FOREIGN');
    expect(await sent('https://a.openai.azure.com', 'https://b.openai.azure.com')).toContain(
      'FOREIGN',
    );
  });

  it.each([
    ['https://llm.example/v1', undefined],
    [undefined, 'https://llm.example/v1'],
    ['https://llm.example/v1', 'https://llm.example:8443/v1'],
    ['https://llm.example/v1', 'https://other.example/v1'],
    ['https://openai/v1', undefined],
  ])('does not go from %s to %s', async (from, to) => {
    const input = await sent(from, to);
    expect(input).toContain('function_call');
    expect(input).not.toContain('FOREIGN');
  });
});

describe('the id of a call of another server', () => {
  const LONG = `call_${'x'.repeat(36)}`;
  const ids = async (id: string, to: Make) => {
    const answer = answering({ tool_calls: [{ ...CALL, id }] });
    const { messages } = await continued(answer, at(GOOGLE), to);
    const [, assistant = {}, tool] = messages;
    const [call] = assistant.tool_calls as { id: string }[];
    return [call?.id, tool?.tool_call_id];
  };

  it.each(['openai', 'azure'] as const)(
    'has at most 40 characters for %s, the same in its result',
    async (profile) => {
      const to = chat({
        profile,
        ...(profile === 'azure' && { baseURL: 'https://x.openai.azure.com' }),
      });
      const [call, result] = await ids(LONG, to);
      expect(call).toMatch(/^call_[0-9a-f]{32}$/);
      expect(result).toBe(call);
      expect(await ids(LONG.slice(1), to)).toEqual([LONG.slice(1), LONG.slice(1)]);
      expect((await ids(`${LONG}y`, to))[0]).not.toBe(call);
    },
  );

  it('is as it was for others, which may keep something in it', async () => {
    expect(await ids(LONG, of('groq'))).toEqual([LONG, LONG]);
    expect(await ids(LONG, at(GOOGLE))).toEqual([LONG, LONG]);
  });
});
