import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { ChatStreamAssembler, type ChatModel, type ChatResponse } from 'nestjs-agent-tools';
import { fromAiSdk } from 'nestjs-agent-tools/ai-sdk';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import OpenAI from 'openai';
import { lendDispatcher } from './lend-dispatcher.js';
import { PROTOCOLS } from './protocols.js';
import { ProviderServer, sendAnswer } from './provider-server.js';
import type { WireAnswer } from './wires/wire.js';

const ANSWERS: readonly (readonly [string, WireAnswer])[] = [
  ['a text', { text: 'It was shipped on Monday – “at last” 🎉.' }],
  ['a call', { calls: [{ id: 'call_1', name: 'find', input: { no: '7', tags: ['a', 'ä'] } }] }],
  [
    'all there is',
    {
      reasoning: 'The user wants two orders; I look for both.',
      text: 'Let me look.',
      calls: [
        { id: 'call_1', name: 'find', input: { no: '7' } },
        { id: 'call_2', name: 'find', input: { no: '8' } },
      ],
      inputTokens: 120,
      outputTokens: 45,
    },
  ],
];

/** What both sides make of an answer. */
interface Reading {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly tokens: readonly [number, number];
}

type Client = (url: string, isStream: boolean) => Promise<Reading>;

const PROMPT = 'Where are my orders?';
const SCHEMA = {
  type: 'object' as const,
  properties: { no: { type: 'string' } },
  required: ['no'],
};
const TOOL = { name: 'find', description: 'Finds an order.', inputSchema: SCHEMA };

const chatCompletions: Client = async (url, isStream) => {
  const client = new OpenAI({ baseURL: url, apiKey: 'k', maxRetries: 0 });
  const request = {
    model: 'test-model',
    messages: [{ role: 'user' as const, content: PROMPT }],
    tools: [{ type: 'function' as const, function: { name: 'find', parameters: SCHEMA } }],
  };
  const answer = isStream
    ? await client.chat.completions
        .stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
    : await client.chat.completions.create(request);
  const { message } = answer.choices[0];
  return {
    text: message.content ?? '',
    calls: (message.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error(call.type);
      return { name: call.function.name, input: JSON.parse(call.function.arguments) as unknown };
    }),
    tokens: [answer.usage?.prompt_tokens ?? 0, answer.usage?.completion_tokens ?? 0],
  };
};

const responses: Client = async (url, isStream) => {
  const client = new OpenAI({ baseURL: url, apiKey: 'k', maxRetries: 0 });
  const request = {
    model: 'test-model',
    input: PROMPT,
    tools: [{ type: 'function' as const, name: 'find', parameters: SCHEMA, strict: false }],
  };
  const answer = isStream
    ? await client.responses.stream(request).finalResponse()
    : await client.responses.create(request);
  return {
    text: answer.output_text,
    calls: answer.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    tokens: [answer.usage?.input_tokens ?? 0, answer.usage?.output_tokens ?? 0],
  };
};

const messages: Client = async (url, isStream) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
  const request = {
    model: 'test-model',
    max_tokens: 1_000,
    messages: [{ role: 'user' as const, content: PROMPT }],
    tools: [{ name: 'find', input_schema: SCHEMA }],
  };
  const answer = isStream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  return {
    text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: answer.content
      .filter((block) => block.type === 'tool_use')
      .map(({ name, input }) => ({ name, input })),
    tokens: [answer.usage.input_tokens, answer.usage.output_tokens],
  };
};

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const generateContent: Client = async (url, isStream) => {
  lendDispatcher();
  const client = new GoogleGenAI({ apiKey: 'k', vertexai: false, httpOptions: { baseUrl: url } });
  const request = {
    model: 'test-model',
    contents: PROMPT,
    config: {
      tools: [{ functionDeclarations: [{ name: 'find', parametersJsonSchema: SCHEMA }] }],
    },
  };
  const answers = isStream
    ? await collect(await client.models.generateContentStream(request))
    : [await client.models.generateContent(request)];
  const parts = answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const usage = answers.at(-1)?.usageMetadata;
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name ?? '', input: call.args }] : [],
    ),
    tokens: [usage?.promptTokenCount ?? 0, usage?.candidatesTokenCount ?? 0],
  };
};

const CLIENTS = {
  openai: chatCompletions,
  openaiResponses: responses,
  anthropic: messages,
  gemini: generateContent,
};

async function ask(model: ChatModel, isStream: boolean): Promise<ChatResponse> {
  const request = { messages: [{ role: 'user' as const, content: PROMPT }], tools: [TOOL] };
  if (!isStream) return model.generate(request, {});
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(request, {})) assembler.push(delta);
  return assembler.finish();
}

function read({ content, usage }: ChatResponse): Reading {
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: content.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ name: part.name, input: JSON.parse(part.arguments) as unknown }]
        : [],
    ),
    tokens: [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0],
  };
}

const meant = ({
  text = '',
  calls = [],
  inputTokens = 5,
  outputTokens = 7,
}: WireAnswer): Reading => ({
  text,
  calls: calls.map(({ name, input }) => ({ name, input })),
  tokens: [inputTokens, outputTokens],
});

const WAYS = [
  ['streamed', true],
  ['whole', false],
] as const;

let answer: WireAnswer;
let server: ProviderServer;

beforeEach(async () => {
  server = await new ProviderServer((request, response) => {
    response.setHeader('connection', 'close');
    sendAnswer(request, response, answer);
  }).start();
});

afterEach(() => server.stop());

describe.each(PROTOCOLS)('%s', (protocol, create) => {
  describe.each(WAYS)('reads a %s answer', (_, isStream) => {
    it.each(ANSWERS)('with %s as the official client does', async (_name, given) => {
      answer = given;
      const official = await CLIENTS[protocol as keyof typeof CLIENTS](server.url, isStream);
      expect(official).toEqual(meant(given));
      const response = await ask(create({ baseURL: server.url, apiKey: 'k' }), isStream);
      expect(read(response)).toEqual(official);
      const reasoning = response.content.map((part) =>
        part.type === 'reasoning' ? part.text : '',
      );
      expect(reasoning.join('')).toBe(given.reasoning ?? '');
      const [ours, theirs] = server.requests.toReversed();
      expect(ours.url.replace(/\?.*/, '').split('/').at(-1)?.split(':').at(-1)).toBe(
        theirs.url.replace(/\?.*/, '').split('/').at(-1)?.split(':').at(-1),
      );
    });
  });
});

const ECOSYSTEMS: readonly (readonly [string, (url: string) => ChatModel])[] = [
  [
    'fromAiSdk() with @ai-sdk/openai and Chat Completions',
    (url) => fromAiSdk(createOpenAI({ baseURL: url, apiKey: 'k' }).chat('test-model')),
  ],
  [
    'fromAiSdk() with @ai-sdk/openai and Responses',
    (url) => fromAiSdk(createOpenAI({ baseURL: url, apiKey: 'k' }).responses('test-model')),
  ],
  [
    'fromAiSdk() with @ai-sdk/anthropic',
    (url) => fromAiSdk(createAnthropic({ baseURL: url, apiKey: 'k' })('test-model')),
  ],
  [
    'fromLangChain() with @langchain/openai and Chat Completions',
    (url) =>
      fromLangChain(
        new ChatOpenAI({ model: 'test-model', apiKey: 'k', configuration: { baseURL: url } }),
      ),
  ],
  [
    'fromLangChain() with @langchain/openai and Responses',
    (url) =>
      fromLangChain(
        new ChatOpenAI({
          model: 'test-model',
          apiKey: 'k',
          useResponsesApi: true,
          configuration: { baseURL: url },
        }),
      ),
  ],
];

describe.each(ECOSYSTEMS)('%s', (_, create) => {
  describe.each(WAYS)('reads a %s answer', (_name, isStream) => {
    it.each(ANSWERS)('with %s', async (_answer, given) => {
      answer = given;
      expect(read(await ask(create(server.url), isStream))).toEqual(meant(given));
    });
  });
});
