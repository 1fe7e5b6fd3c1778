import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamAssembler,
  type AssistantPart,
  type ChatMessage,
  type ChatTool,
  type ToolResultPart,
} from 'nestjs-agent-tools';
import { fromAiSdk, type AiSdkOptions, type AiSdkSpecification } from 'nestjs-agent-tools/ai-sdk';
import { endOf, fake, partsOf, textParts } from './support/fakes.js';

const VERSIONS: AiSdkSpecification[] = ['v2', 'v3', 'v4'];
const PIXEL = 'data:image/png;base64,AAEC';
const FIND: ChatTool = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: {} },
};

interface Setting {
  readonly version?: AiSdkSpecification;
  readonly provider?: string;
  readonly options?: AiSdkOptions;
  readonly tools?: readonly ChatTool[];
}

async function promptOf(
  messages: readonly ChatMessage[],
  { version, provider, options, tools }: Setting = {},
): Promise<unknown[]> {
  const model = fake({
    version,
    provider,
    generate: () => ({ content: [], finishReason: 'stop' }),
  });
  await fromAiSdk(model, options).generate({ messages, tools }, {});
  return [...(model.calls[0]?.prompt ?? [])];
}

const resultOf = (values: Partial<ToolResultPart>): ChatMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      callId: 'c1',
      name: 'find',
      status: 'success',
      content: 'Done.',
      ...values,
    },
  ],
});
const saidBy = (...content: AssistantPart[]): ChatMessage => ({ role: 'assistant', content });
const answerTo = (output: unknown) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'find', output }],
});

describe.each(VERSIONS)('A prompt of specification %s', (version) => {
  it('has all roles', async () => {
    const prompt = await promptOf(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where is A1?' },
        saidBy(
          { type: 'text', text: 'One moment.' },
          { type: 'tool-call', id: 'c1', name: 'find', arguments: '{"no":"A1"}' },
        ),
        resultOf({}),
        { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
      ],
      { version },
    );
    expect(prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Where is A1?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { no: 'A1' } },
        ],
      },
      answerTo({ type: 'text', value: 'Done.' }),
      { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
    ]);
  });

  it('has images of the user by address and in themselves', async () => {
    const url = 'https://example.com/a.png';
    const [message] = await promptOf(
      [
        {
          role: 'user',
          content: [
            { type: 'image', url: PIXEL },
            { type: 'image', url },
            { type: 'image', url: 'data:image/svg+xml,%3Csvg%2F%3E' },
          ],
        },
      ],
      { version },
    );
    const svg = Buffer.from('<svg/>').toString('base64');
    const data = (base64: string) => (version === 'v4' ? { type: 'data', data: base64 } : base64);
    const address = version === 'v4' ? { type: 'url', url: new URL(url) } : new URL(url);
    expect(message).toEqual({
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: data('AAEC') },
        { type: 'file', mediaType: 'image/*', data: address },
        { type: 'file', mediaType: 'image/svg+xml', data: data(svg) },
      ],
    });
  });

  it('has images within results', async () => {
    const content = [
      { type: 'text', text: 'A picture:' },
      { type: 'image', url: PIXEL },
    ] as const;
    const [message] = await promptOf([resultOf({ content })], { version });
    const image = {
      v2: { type: 'media', data: 'AAEC', mediaType: 'image/png' },
      v3: { type: 'image-data', data: 'AAEC', mediaType: 'image/png' },
      v4: { type: 'file', data: { type: 'data', data: 'AAEC' }, mediaType: 'image/png' },
    }[version];
    const value = [{ type: 'text', text: 'A picture:' }, image];
    expect(message).toEqual(answerTo({ type: 'content', value }));
  });

  it('has images of results by address, after the result where it cannot hold them', async () => {
    const url = 'https://example.com/a.png';
    const prompt = await promptOf([resultOf({ content: [{ type: 'image', url }] })], { version });
    const inside = (image: object) => [answerTo({ type: 'content', value: [image] })];
    const after = [
      answerTo({ type: 'text', value: '(images, see below)' }),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images that the tool find returned for the call c1:' },
          { type: 'file', mediaType: 'image/*', data: new URL(url) },
        ],
      },
    ];
    const expected = {
      v2: after,
      v3: inside({ type: 'image-url', url }),
      v4: inside({ type: 'file', data: { type: 'url', url: new URL(url) }, mediaType: 'image/*' }),
    };
    expect(prompt).toEqual(expected[version]);
  });

  it.each(['error', 'denied', 'interrupted'] as const)(
    'says that a result is %s',
    async (status) => {
      const [message] = await promptOf([resultOf({ status, content: 'No.' })], { version });
      expect(message).toEqual(answerTo({ type: 'error-text', value: 'No.' }));
    },
  );

  it('gives an answer of the provider back as it came, even after a store', async () => {
    const acme = (id: string) => ({ acme: { id } });
    const parts = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: acme('sig') },
      {
        type: 'tool-call',
        toolCallId: 'w',
        toolName: 'web',
        input: '{"q":1}',
        providerExecuted: true,
      },
      { type: 'tool-result', toolCallId: 'w', toolName: 'web', result: 'None.' },
      { type: 'text-start', id: 't', providerMetadata: acme('msg') },
      { type: 'text-delta', id: 't', delta: 'Yes' },
      { type: 'text-end', id: 't' },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'find',
        input: '',
        providerMetadata: acme('fc'),
      },
      { type: 'finish', ...endOf(version, 'tool-calls') },
    ];
    const model = fake({ version, stream: () => partsOf(parts) });
    const assembler = new ChatStreamAssembler();
    const request = { messages: [{ role: 'user', content: 'Hi' } as const] };
    for await (const delta of fromAiSdk(model).stream(request, {})) assembler.push(delta);
    const stored = JSON.parse(JSON.stringify(assembler.finish().content)) as AssistantPart[];
    const [message] = await promptOf([saidBy(...stored)], { version });
    expect(message).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm', providerOptions: acme('sig') },
        {
          type: 'tool-call',
          toolCallId: 'w',
          toolName: 'web',
          input: { q: 1 },
          providerExecuted: true,
        },
        {
          type: 'tool-result',
          toolCallId: 'w',
          toolName: 'web',
          output: { type: 'text', value: 'None.' },
        },
        { type: 'text', text: 'Yes', providerOptions: acme('msg') },
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'find',
          input: {},
          providerOptions: acme('fc'),
        },
      ],
    });
  });
});

describe('A prompt', () => {
  const ownPart = (type: 'text' | 'reasoning', text: string, values: object): AssistantPart => ({
    type,
    text,
    providerMetadata: { 'ai-sdk': { provider: 'acme.messages', ...values } },
  });

  it('puts values that came after the next part where they belong', async () => {
    const parts = [
      { type: 'reasoning-start', id: 'r:0', providerMetadata: { acme: { key: null } } },
      { type: 'reasoning-delta', id: 'r:0', delta: 'One' },
      { type: 'reasoning-start', id: 'r:1', providerMetadata: { acme: { key: null } } },
      { type: 'reasoning-delta', id: 'r:1', delta: 'Two' },
      { type: 'reasoning-end', id: 'r:0', providerMetadata: { acme: { key: 'k' } } },
      { type: 'reasoning-end', id: 'r:1', providerMetadata: { acme: { key: 'k' } } },
      ...textParts('Hi'),
    ];
    const assembler = new ChatStreamAssembler();
    const model = fromAiSdk(fake({ stream: () => partsOf(parts) }));
    for await (const delta of model.stream({ messages: [] }, {})) assembler.push(delta);
    const [message] = await promptOf([saidBy(...assembler.finish().content)]);
    const providerOptions = { acme: { key: 'k' } };
    expect(message).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'One', providerOptions },
        { type: 'reasoning', text: 'Two', providerOptions },
        { type: 'text', text: 'Hi' },
      ],
    });
  });

  it('has nothing of what came from others but the text and the calls', async () => {
    const other = { 'ai-sdk': { provider: 'other.chat', part: 0, options: { other: { id: 1 } } } };
    const prompt = await promptOf([
      saidBy({ type: 'reasoning', text: 'Hm', providerMetadata: other }),
      saidBy(
        { type: 'reasoning', text: 'Hm' },
        { type: 'reasoning', text: 'Hm', providerMetadata: { anthropic: { signature: 's' } } },
        { type: 'text', text: 'Hi', providerMetadata: other },
        { type: 'tool-call', id: 'c1', name: 'find', arguments: '{}', providerMetadata: other },
      ),
    ]);
    expect(prompt).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: {} },
        ],
      },
    ]);
  });

  it('has reasoning without values of the same provider: some want it back', async () => {
    const [message] = await promptOf([saidBy(ownPart('reasoning', 'Hm', { part: 0 }))]);
    expect(message).toEqual({ role: 'assistant', content: [{ type: 'reasoning', text: 'Hm' }] });
  });

  it('has empty text only if something hangs on it', async () => {
    const options = { acme: { thoughtSignature: 's' } };
    const [message] = await promptOf([
      saidBy({ type: 'text', text: '' }, ownPart('text', '', { options })),
    ]);
    const content = [{ type: 'text', text: '', providerOptions: options }];
    expect(message).toEqual({ role: 'assistant', content });
  });

  it('has options that the application itself put on a part', async () => {
    const options = { acme: { cacheControl: { type: 'ephemeral' } } };
    const providerMetadata = { 'ai-sdk': { options } };
    const prompt = await promptOf([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi', providerMetadata },
          { type: 'image', url: PIXEL, providerMetadata },
        ],
      },
      resultOf({ providerMetadata }),
    ]);
    expect(prompt).toMatchObject([
      { content: [{ providerOptions: options }, { providerOptions: options }] },
      { content: [{ providerOptions: options }] },
    ]);
  });

  it.each<object>([
    { opaque: { type: 'text', text: 'made up' } },
    { opaque: 'text' },
    { options: 'text' },
    { part: 'text' },
  ])('has nothing of a stored part that is not of its kind: %j', async (values) => {
    const [message] = await promptOf([saidBy(ownPart('reasoning', 'Hm', values))]);
    expect(message).toEqual({ role: 'assistant', content: [{ type: 'reasoning', text: 'Hm' }] });
  });

  it.each([
    ['', {}],
    ['  ', {}],
    ['{"a":', { INVALID_JSON: '{"a":' }],
    ['[1]', { INVALID_JSON: '[1]' }],
  ])('shows the arguments %j to the model within an object', async (json, input) => {
    const call = { type: 'tool-call', id: 'c1', name: 'find', arguments: json } as const;
    const [message] = await promptOf([saidBy(call)]);
    expect(message).toMatchObject({ content: [{ input }] });
  });

  it('has names that a model made up in a form that servers take, but those of tools as they are', async () => {
    const callOf = (name: string) => saidBy({ type: 'tool-call', id: 'c', name, arguments: '{}' });
    const prompt = await promptOf(
      [callOf('search the.web'), resultOf({ name: 'search the.web' }), callOf(''), callOf('a.b')],
      { tools: [{ ...FIND, name: 'a.b' }] },
    );
    expect(prompt).toMatchObject([
      { content: [{ toolName: 'search_the_web' }] },
      { content: [{ toolName: 'search_the_web' }] },
      { content: [{ toolName: 'unknown_tool' }] },
      { content: [{ toolName: 'a.b' }] },
    ]);
  });

  const pictures: ChatMessage = {
    role: 'tool',
    content: ['c1', 'c2'].map((callId) => ({
      type: 'tool-result',
      callId,
      name: 'find',
      status: 'success',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image', url: PIXEL },
      ],
    })),
  };

  it.each<[string, Setting]>([
    ['of a provider that speaks Chat Completions', { provider: 'groq.chat' }],
    ['if that is asked for', { options: { toolImages: 'user' } }],
  ])('has the images of all results after them, %s', async (_when, setting) => {
    const [results, images, ...rest] = await promptOf([pictures], setting);
    expect(results).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'text', value: 'See:' } }, { output: { type: 'text' } }],
    });
    const types = ['text', 'file', 'text', 'file'].map((type) => ({ type }));
    expect(images).toMatchObject({ role: 'user', content: types });
    expect(rest).toEqual([]);
  });

  it('has them in the results if that is asked for', async () => {
    const setting: Setting = { provider: 'groq.chat', options: { toolImages: 'result' } };
    expect(await promptOf([pictures], setting)).toHaveLength(1);
  });

  it('has the images of an error after it, since an error has only text', async () => {
    const content = [{ type: 'image', url: PIXEL }] as const;
    const prompt = await promptOf([resultOf({ status: 'error', content })]);
    expect(prompt).toMatchObject([
      answerTo({ type: 'error-text', value: '(images, see below)' }),
      { role: 'user' },
    ]);
  });

  it('joins texts of a result without an image', async () => {
    const content = ['a', 'b'].map((text) => ({ type: 'text', text }) as const);
    const prompt = await promptOf([resultOf({ content }), resultOf({ content: '' })]);
    expect(prompt).toEqual([
      answerTo({ type: 'text', value: 'a\nb' }),
      answerTo({ type: 'text', value: '(no output)' }),
    ]);
  });

  it.each(['picture.png', 'data:image/png', 'data:image/png,%E0%A4%A'])(
    'refuses an image that is none: %s',
    async (url) => {
      const refused = promptOf([{ role: 'user', content: [{ type: 'image', url }] }]);
      await expect(refused).rejects.toThrow(/neither an address nor a data: URL/);
    },
  );
});
