import { describe, expect, it } from '@jest/globals';
import type { ChatModel, ChatSettings, ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses, type OpenAIProfileName } from 'nestjs-agent-tools/openai';

const schema = {
  type: 'object' as const,
  properties: { a: { type: 'string' as const } },
  required: ['a'],
  additionalProperties: false,
};
const tools: ChatTool[] = [{ name: 'find', description: 'd', inputSchema: schema }];
const SETTINGS: ChatSettings[] = [
  { temperature: 0.3 },
  { topP: 0.4 },
  { maxTokens: 5_123 },
  { stop: ['END'] },
  { seed: 7 },
  { parallelToolCalls: false },
  { reasoningEffort: 'low' },
  { reasoningEffort: 'none' },
  { reasoningEffort: 'minimal' },
  { reasoningEffort: 'high' },
  { reasoningBudget: 2_000 },
  { reasoningBudget: 0 },
  { responseFormat: { type: 'json', schema } },
  { responseFormat: { type: 'json' } },
  { headers: { 'x-a': 'b' } },
  { body: { own: 1 } },
  { baseURL: 'http://other.example/v1' },
  { apiKey: 'other-key' },
] as ChatSettings[];
type Options = ChatSettings & { fetch: typeof fetch };
const common = { apiKey: 'k', retry: { maxRetries: 0 } };
const PROFILES: OpenAIProfileName[] = [
  'openai',
  'groq',
  'mistral',
  'deepseek',
  'openrouter',
  'ollama',
  'vllm',
  'lmstudio',
  'together',
  'fireworks',
  'cerebras',
  'xai',
  'huggingface',
  'zai',
];
const FACTORIES: [string, (options: Options) => ChatModel][] = [
  ...PROFILES.map((profile): [string, (options: Options) => ChatModel] => [
    `openai ${profile}`,
    (o) => openai({ model: 'm', profile, ...common, ...o }),
  ]),
  ['responses', (o) => openaiResponses({ model: 'gpt-5', ...common, ...o })],
  ['responses gpt-4o', (o) => openaiResponses({ model: 'gpt-4o', ...common, ...o })],
  ...[
    'claude-3-5-haiku-latest',
    'claude-sonnet-4-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'own',
  ].map((model): [string, (options: Options) => ChatModel] => [
    `anthropic ${model}`,
    (o) => anthropic({ model, ...common, ...o }),
  ]),
  ...['gemini-2.0-flash', 'gemini-2.5-flash', 'gemini-3-flash-preview'].map(
    (model): [string, (options: Options) => ChatModel] => [
      `gemini ${model}`,
      (o) => gemini({ model, ...common, ...o }),
    ],
  ),
];

/** The request as it would go out, or the error. */
async function sent(
  make: (options: Options) => ChatModel,
  options: ChatSettings,
  settings: ChatSettings | undefined,
  how: 'stream' | 'generate',
  toolChoice?: ToolChoice,
): Promise<string> {
  let request = '';
  const fetch = (async (url: string, init: RequestInit) => {
    request = JSON.stringify([url, [...new Headers(init.headers)], init.body]);
    throw new Error('seen');
  }) as unknown as typeof globalThis.fetch;
  const question = {
    messages: [{ role: 'user' as const, content: 'x' }],
    tools,
    toolChoice,
    settings,
  };
  try {
    const model = make({ ...options, fetch });
    if (how === 'generate') await model.generate(question, {});
    else for await (const _ of model.stream(question, {}));
  } catch (error) {
    if (!request) return `ERROR ${(error as Error).name}: ${(error as Error).message}`;
  }
  return request;
}

describe.each(FACTORIES)('%s', (_name, make) => {
  it.each(['stream', 'generate'] as const)('sends each setting, or refuses it: %s', async (how) => {
    const plain = await sent(make, {}, undefined, how);
    expect(plain).not.toMatch(/^ERROR/);
    const ignored: string[] = [];
    for (const setting of SETTINGS) {
      for (const place of ['option', 'request'] as const) {
        const is =
          place === 'option'
            ? await sent(make, setting, undefined, how)
            : await sent(make, {}, setting, how);
        if (is === plain) ignored.push(`${place} ${JSON.stringify(setting)}`);
        else if (is.startsWith('ERROR') && !is.startsWith('ERROR ChatModelException'))
          ignored.push(`${place} ${JSON.stringify(setting)} ${is}`);
      }
    }
    expect(ignored).toEqual([]);
  });

  it('sends each tool choice, or refuses it', async () => {
    const plain = await sent(make, {}, undefined, 'generate');
    const ignored: unknown[] = [];
    for (const choice of ['none', 'required', { tool: 'find' }] as ToolChoice[]) {
      if ((await sent(make, {}, undefined, 'generate', choice)) === plain) ignored.push(choice);
    }
    expect(ignored).toEqual([]);
  });
});
