import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ChatRequest, ChatSettings, ToolChoice } from 'nestjs-agent-tools';
import {
  openai,
  toChatCompletionsBody,
  type OpenAIOptions,
  type OpenAIProfileName,
} from 'nestjs-agent-tools/openai';
import { failure } from '../models/test-server.js';

const PROVIDERS: readonly [OpenAIProfileName, string, string | undefined][] = [
  ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
  ['azure', 'https://shop.openai.azure.com/openai/v1', 'AZURE_OPENAI_API_KEY'],
  ['groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  ['mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  ['deepseek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY'],
  ['openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  ['ollama', 'http://localhost:11434/v1', undefined],
  ['vllm', 'http://localhost:8000/v1', undefined],
  ['lmstudio', 'http://localhost:1234/v1', undefined],
  ['together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
  ['fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
  ['cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
  ['xai', 'https://api.x.ai/v1', 'XAI_API_KEY'],
  ['huggingface', 'https://router.huggingface.co/v1', 'HF_TOKEN'],
  ['zai', 'https://api.z.ai/api/paas/v4', 'ZAI_API_KEY'],
];

const TOOL = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object' as const, properties: {} },
};

type BodyOptions = Omit<Parameters<typeof toChatCompletionsBody>[1], 'model'>;

const body = (options: BodyOptions, request: Partial<ChatRequest> = {}) =>
  toChatCompletionsBody({ messages: [], ...request }, { model: 'm', ...options });

const profiled = (
  profile: OpenAIProfileName,
  settings: ChatSettings = {},
  request: Partial<ChatRequest> = {},
) => body({ profile, ...settings }, request);

async function addressOf(options: Partial<OpenAIOptions>): Promise<string> {
  let address = '';
  const model = openai({
    model: 'm',
    apiKey: 'k',
    fetch: async (url) => {
      address = String(url instanceof Request ? url.url : url);
      return Response.json({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] });
    },
    ...options,
  });
  await model.generate({ messages: [] }, {});
  return address;
}

describe('a profile', () => {
  it.each(PROVIDERS)('%s is known by the base URL %s', async (name, baseURL) => {
    // Nobody knows by port 8000 that a server is vLLM.
    const expected = name === 'vllm' ? 'openai' : name;
    expect(openai({ model: 'm', baseURL }).name).toBe(`${expected}:m`);
    expect(openai({ model: 'm', profile: name }).name).toBe(`${name}:m`);
    expect(await addressOf({ profile: name, baseURL })).toBe(`${baseURL}/chat/completions`);
  });

  it.each(PROVIDERS.filter(([name]) => name !== 'azure'))(
    '%s leads to %s',
    async (name, baseURL) => {
      expect(await addressOf({ profile: name })).toBe(`${baseURL}/chat/completions`);
    },
  );

  it.each(PROVIDERS)('%s at %s has its key in %s', async (profile, baseURL, variable) => {
    const before = variable && process.env[variable];
    if (variable) delete process.env[variable];
    const model = openai({
      model: 'm',
      profile,
      baseURL,
      retry: { maxRetries: 0 },
      fetch: () => Promise.reject(new Error('sent')),
    });
    const { message } = await failure(model.generate({ messages: [] }, {}));
    expect(message).toContain(variable ? `set ${variable} in the environment` : 'sent');
    if (before) process.env[variable] = before;
  });

  it('azure needs the address of the resource', async () => {
    const error = await failure(addressOf({ profile: 'azure' }));
    expect(error.message).toContain('azure:m needs the address of its server');
  });

  it('that is not there is refused with the names of those that are', () => {
    expect(() => openai({ model: 'm', profile: 'bedrock' as never })).toThrow(
      /no such profile\. Known are: openai, azure, .*zai\./,
    );
  });

  it('can be changed in part', () => {
    const options = { baseURL: 'http://localhost:9999/v1', maxTokens: 5 };
    expect(body(options)).toMatchObject({ max_tokens: 5 });
    expect(
      body({ ...options, profile: { maxTokensField: 'max_completion_tokens' } }),
    ).toMatchObject({ max_completion_tokens: 5 });
  });
});

describe('what a provider lacks', () => {
  it.each<[OpenAIProfileName, ChatSettings, string]>([
    ['openai', { reasoningBudget: 100 }, '`reasoningBudget`: it does not count tokens'],
    ['deepseek', { seed: 1 }, '`seed`: its API has no such option'],
    ['deepseek', { parallelToolCalls: false }, '`parallelToolCalls`: its API has no such option'],
    ['ollama', { parallelToolCalls: true }, '`parallelToolCalls`'],
    ['zai', { seed: 1, parallelToolCalls: true }, '`seed`'],
  ])('%s: is an error at construction, and at a request', async (profile, settings, message) => {
    expect(() => openai({ model: 'm', profile, ...settings })).toThrow(message);
    const model = openai({
      model: 'm',
      profile,
      apiKey: 'k',
      fetch: () => Promise.reject(new Error('sent')),
      retry: { maxRetries: 0 },
    });
    const error = await failure(model.generate({ messages: [], settings }, {}));
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('sent');
  });

  it.each<ChatSettings>([
    { temperature: -1 },
    { temperature: Number.NaN },
    { topP: 1.1 },
    { maxTokens: 0 },
    { maxTokens: 1.5 },
    { seed: 0.5 },
    { stop: [''] },
    { stop: 'END' as never },
  ])('no provider takes %j', (settings) => {
    expect(() => openai({ model: 'm', ...settings })).toThrow('openai:m cannot be set like this');
  });
});

describe('settings are sent', () => {
  it('in the fields of Chat Completions', () => {
    expect(
      profiled(
        'openai',
        {
          temperature: 0,
          topP: 0.5,
          maxTokens: 5,
          stop: ['END'],
          seed: 7,
          reasoningEffort: 'low',
          parallelToolCalls: false,
        },
        { tools: [TOOL] },
      ),
    ).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      max_completion_tokens: 5,
      stop: ['END'],
      seed: 7,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    });
  });

  it.each<[OpenAIProfileName, string]>([
    ['mistral', 'random_seed'],
    ['groq', 'seed'],
  ])('to %s with the seed as %s', (profile, field) => {
    expect(profiled(profile, { seed: 3 })).toHaveProperty(field, 3);
  });

  it.each<[OpenAIProfileName, ChatSettings, object]>([
    ['groq', { reasoningEffort: 'none' }, { reasoning_effort: 'none' }],
    ['openrouter', { reasoningEffort: 'high' }, { reasoning: { effort: 'high' } }],
    ['openrouter', { reasoningBudget: 500 }, { reasoning: { max_tokens: 500 } }],
    ['openrouter', { reasoningBudget: 0 }, { reasoning: { enabled: false } }],
    ['deepseek', { reasoningEffort: 'none' }, { thinking: { type: 'disabled' } }],
    [
      'zai',
      { reasoningEffort: 'high' },
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    ],
  ])('to %s with the reasoning %j', (profile, settings, expected) => {
    expect(profiled(profile, settings)).toEqual({ model: 'm', messages: [], ...expected });
  });

  it('with a stream that says what it used, where that must be asked for', () => {
    const usage = { stream: true, stream_options: { include_usage: true } };
    expect(profiled('groq', { ...({ stream: true } as object) })).toMatchObject(usage);
    expect(profiled('mistral', { ...({ stream: true } as object) })).not.toHaveProperty(
      'stream_options',
    );
  });
});

describe('a response format is sent', () => {
  const schema = {
    type: 'object' as const,
    properties: { n: { type: 'integer' } },
    required: ['n'],
  };

  it('with its schema, strictly if that can be', () => {
    const { response_format: format } = profiled('openai', {
      responseFormat: { type: 'json', schema, name: 'count', description: 'A count.' },
    });
    expect(format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'count',
        description: 'A count.',
        strict: true,
        schema: { ...schema, additionalProperties: false },
      },
    });
  });

  it('with a schema that need not be followed exactly', () => {
    const responseFormat = { type: 'json' as const, schema, strict: false };
    expect(profiled('openai', { responseFormat })).toMatchObject({
      response_format: { json_schema: { name: 'response', strict: false, schema } },
    });
  });

  it('as any JSON object', () => {
    expect(profiled('openai', { responseFormat: { type: 'json' } })).toMatchObject({
      response_format: { type: 'json_object' },
    });
  });

  it('as any JSON object to a server without schemas, and told to the model', () => {
    const sent = profiled('deepseek', { responseFormat: { type: 'json', schema } });
    expect(sent.response_format).toEqual({ type: 'json_object' });
    const [message] = sent.messages as { role: string; content: string }[];
    expect(message.role).toBe('system');
    expect(message.content).toContain(JSON.stringify(schema));
  });
});

describe('a choice among tools', () => {
  const choose = (profile: OpenAIProfileName, toolChoice: ToolChoice) =>
    profiled(profile, {}, { tools: [TOOL], toolChoice });

  it('is sent as each server knows it', () => {
    expect(choose('openai', 'required')).toMatchObject({ tool_choice: 'required' });
    expect(choose('mistral', 'required')).toMatchObject({ tool_choice: 'any' });
    expect(choose('openai', { tool: 'find' })).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'find' } },
    });
    expect(choose('lmstudio', 'required')).toMatchObject({ tool_choice: 'required' });
  });

  it.each(['ollama', 'zai'] as const)('of none sends %s no tools', (profile) => {
    expect(choose(profile, 'none')).not.toHaveProperty('tools');
    const auto = choose(profile, 'auto');
    expect(auto).toHaveProperty('tools');
    expect(auto).not.toHaveProperty('tool_choice');
  });

  it.each<[OpenAIProfileName, ToolChoice]>([
    ['ollama', 'required'],
    ['zai', { tool: 'find' }],
    ['lmstudio', { tool: 'find' }],
  ])('that %s would leave out of account is an error', (profile, choice) => {
    expect(() => choose(profile, choice)).toThrow(/cannot be made to call .*leave `toolChoice/s);
  });
});

describe('a conversation is sent', () => {
  const image = 'https://shop.example/chart.png';
  const call = { type: 'tool-call' as const, id: 'call_12345678', name: 'find', arguments: '{}' };
  const reasoning = { type: 'reasoning' as const, text: 'Hm.' };
  const conversation: ChatMessage[] = [
    { role: 'assistant', content: [reasoning, call] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: call.id,
          name: 'find',
          status: 'success',
          content: [
            { type: 'text', text: 'A chart.' },
            { type: 'image', url: image },
          ],
        },
      ],
    },
  ];

  const sent = (profile: OpenAIProfileName) =>
    profiled(profile, {}, { messages: conversation, tools: [TOOL] }).messages as Record<
      string,
      unknown
    >[];

  it('to Mistral with ids of nine letters and digits, the same for call and result', () => {
    const [assistant, tool] = sent('mistral');
    const [{ id }] = assistant.tool_calls as [{ id: string }];
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(tool.tool_call_id).toBe(id);
  });

  it('to Mistral with images where they belong, and its list of thoughts', () => {
    const [assistant, tool, ...rest] = sent('mistral');
    expect(assistant.content).toEqual([
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    ]);
    expect(tool.content).toEqual([
      { type: 'text', text: 'A chart.' },
      { type: 'image_url', image_url: { url: image } },
    ]);
    expect(rest).toEqual([]);
  });

  it('to others with images in a message of the user', () => {
    const [, tool, user] = sent('openai');
    expect(tool).toMatchObject({ tool_call_id: call.id, content: 'A chart.' });
    expect(user).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }, { type: 'image_url', image_url: { url: image } }],
    });
  });

  it.each<[OpenAIProfileName, string | undefined]>([
    ['deepseek', 'reasoning_content'],
    ['zai', 'reasoning_content'],
    ['groq', 'reasoning'],
    ['cerebras', 'reasoning'],
    ['ollama', 'reasoning'],
    ['openrouter', 'reasoning'],
  ])('to %s with the reasoning in %s', (profile, field = '') => {
    expect(sent(profile)[0]).toHaveProperty(field, 'Hm.');
  });

  it.each<OpenAIProfileName>(['openai', 'azure', 'xai', 'vllm'])(
    'to %s without the reasoning',
    (profile) => {
      expect(JSON.stringify(sent(profile)[0])).not.toContain('Hm.');
    },
  );

  it('with no content beside calls in the form that the server takes', () => {
    expect(sent('openai')[0]).toMatchObject({ content: null });
    expect(sent('ollama')[0]).toMatchObject({ content: '' });
  });
});
