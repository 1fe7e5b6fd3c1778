import { describe, expect, it } from '@jest/globals';
import type {
  ChatMessage,
  ChatRequest,
  ChatTool,
  JsonSchema,
  ToolResultStatus,
} from 'nestjs-agent-tools';
import { offline } from 'nestjs-agent-tools/offline';

function tool(
  name: string,
  description: string,
  properties: Record<string, JsonSchema>,
  required?: string[],
): ChatTool {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: required ?? Object.keys(properties) },
  };
}

/** Three quite different applications. */
const LIBRARY = [
  tool('findBook', 'Find a book by its title.', { title: { type: 'string' } }),
  tool('loanStatus', 'Status of a loan by its number.', {
    loanNo: { type: 'string', pattern: '^L-\\d{3}$' },
  }),
  tool('renewLoan', 'Renew a loan for some weeks.', {
    loanNo: { type: 'string', pattern: '^L-\\d{3}$' },
    weeks: { type: 'integer', minimum: 1, maximum: 8 },
  }),
];
const OFFICE = [
  tool('getWeather', 'Current weather in a city.', { city: { type: 'string' } }),
  tool(
    'bookRoom',
    'Book a meeting room for a day.',
    {
      room: { type: 'string', enum: ['Aurora', 'Borealis'] },
      date: { type: 'string', format: 'date' },
      people: { type: 'integer' },
    },
    ['room', 'date'],
  ),
  tool('convertUnits', 'Convert a length between units.', {
    value: { type: 'number' },
    from: { type: 'string', enum: ['km', 'mi', 'm'] },
    to: { type: 'string', enum: ['km', 'mi', 'm'] },
  }),
];
const ACCOUNTS = [
  tool('findUser', 'Find a user by e-mail address.', {
    email: { type: 'string', format: 'email' },
  }),
  tool('closeAccount', 'Close the account of a user for ever.', {
    email: { type: 'string', format: 'email' },
  }),
  tool('listCustomers', 'List all customers.', {}),
];

const model = offline();
const ask = (text: string, tools: readonly ChatTool[], more: Partial<ChatRequest> = {}) =>
  model.generate({ messages: [{ role: 'user', content: text }], tools, ...more }, {});

async function callsFor(text: string, tools: readonly ChatTool[], more?: Partial<ChatRequest>) {
  const { content } = await ask(text, tools, more);
  return content
    .filter((part) => part.type === 'tool-call')
    .map(({ name, arguments: args }) => [name, JSON.parse(args) as unknown]);
}

describe('offline()', () => {
  it('says in its name that it is rules', () => {
    expect(model.name).toBe('offline (rules, not a language model)');
  });

  it.each<[string, ChatTool[], unknown[]]>([
    ['What is the status of loan L-123?', LIBRARY, [['loanStatus', { loanNo: 'L-123' }]]],
    ['Renew loan L-007 for 3 weeks', LIBRARY, [['renewLoan', { loanNo: 'L-007', weeks: 3 }]]],
    [
      'Find the book "The Left Hand of Darkness"',
      LIBRARY,
      [['findBook', { title: 'The Left Hand of Darkness' }]],
    ],
    ['How is the weather in Lisbon?', OFFICE, [['getWeather', { city: 'Lisbon' }]]],
    [
      'Book Aurora on 2026-12-24 for 6 people',
      OFFICE,
      [['bookRoom', { room: 'Aurora', date: '2026-12-24', people: 6 }]],
    ],
    ['Convert 12.5 km to mi', OFFICE, [['convertUnits', { value: 12.5, from: 'km', to: 'mi' }]]],
    [
      'Find the user with the e-mail ada@example.org',
      ACCOUNTS,
      [['findUser', { email: 'ada@example.org' }]],
    ],
    ['Please list all customers.', ACCOUNTS, [['listCustomers', {}]]],
  ])('fills the arguments of "%s" by the schema', async (text, tools, calls) => {
    expect(await callsFor(text, tools)).toEqual(calls);
  });

  it('calls several tools where several match', async () => {
    const calls = await callsFor('How is the weather in Oslo, and convert 3 mi to km', OFFICE);
    expect(calls).toEqual([
      ['getWeather', { city: 'Oslo' }],
      ['convertUnits', { value: 3, from: 'mi', to: 'km' }],
    ]);
  });

  it.each<[string, ChatTool[]]>([
    ['Tell me about quantum physics', LIBRARY],
    ['Hello!', OFFICE],
    ['', OFFICE],
    ['What is the status of my loan?', LIBRARY],
    ['Book a meeting room', OFFICE],
    ['Who is ada@example.org?', []],
  ])('calls nothing for "%s", and says something', async (text, tools) => {
    const { content, finishReason } = await ask(text, tools);
    expect(content).toMatchObject([{ type: 'text' }]);
    expect((content[0] as { text: string }).text).not.toBe('');
    expect(finishReason).toBe('stop');
  });

  it('does not do what it is told not to do', async () => {
    const names = (await callsFor('Do not close the account of ada@example.org', ACCOUNTS)).map(
      ([name]) => name,
    );
    expect(names).not.toContain('closeAccount');
    expect(await callsFor('Close the account of ada@example.org', ACCOUNTS)).toEqual([
      ['closeAccount', { email: 'ada@example.org' }],
    ]);
  });

  it('follows the choice of tools', async () => {
    expect(await callsFor('Weather in Rome?', OFFICE, { toolChoice: 'none' })).toEqual([]);
    const forced = await callsFor('Something about Rome', OFFICE, {
      toolChoice: { tool: 'getWeather' },
    });
    expect(forced).toEqual([['getWeather', { city: 'Rome' }]]);
  });

  it('reads references and nullable types', async () => {
    const nested: ChatTool = {
      name: 'trackParcel',
      description: 'Track a parcel by its code.',
      inputSchema: {
        type: 'object',
        properties: {
          code: { $ref: '#/$defs/Code' },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['code'],
        $defs: { Code: { type: 'string', pattern: '^P\\d{4}$' } },
      },
    };
    expect(await callsFor('Track parcel P1234', [nested])).toEqual([
      ['trackParcel', { code: 'P1234' }],
    ]);
  });

  it('is deterministic, and streams the same content word by word', async () => {
    const request: ChatRequest = {
      messages: [{ role: 'user', content: 'Hello there' }],
      tools: OFFICE,
    };
    const first = await model.generate(request, {});
    expect(await model.generate(request, {})).toEqual(first);
    const pieces: string[] = [];
    const types: string[] = [];
    for await (const delta of model.stream(request, {})) {
      types.push(delta.type);
      if (delta.type === 'text') pieces.push(delta.text);
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect([{ type: 'text', text: pieces.join('') }]).toEqual(first.content);
    expect(types.at(-1)).toBe('finish');
  });

  const after = (status: ToolResultStatus, content: string): ChatMessage[] => [
    { role: 'user', content: 'How is the weather in Lisbon?' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'a', name: 'getWeather', arguments: '{"city":"Lisbon"}' }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'a', name: 'getWeather', status, content }],
    },
  ];

  it.each<[ToolResultStatus, string, RegExp]>([
    ['success', '{"sky":"clear","degrees":21}', /clear[\s\S]*21/],
    ['success', 'It is sunny.', /It is sunny\./],
    ['error', 'There is no such city.', /There is no such city\./],
    ['denied', 'Denied.', /denied/],
  ])(
    'answers from a result that is a %s, and never calls the same again',
    async (status, content, answer) => {
      const reply = await model.generate({ messages: after(status, content), tools: OFFICE }, {});
      expect(reply.content).toMatchObject([{ type: 'text', text: expect.stringMatching(answer) }]);
      expect(reply.finishReason).toBe('stop');
    },
  );

  it('gives calls ids that are unique in the conversation', async () => {
    const messages: ChatMessage[] = [
      ...after('success', 'It is sunny.'),
      { role: 'user', content: 'And how is the weather in Oslo, and convert 3 mi to km' },
    ];
    const { content } = await model.generate({ messages, tools: OFFICE }, {});
    const ids = content.filter((part) => part.type === 'tool-call').map(({ id }) => id);
    expect(new Set([...ids, 'a']).size).toBe(3);
  });

  it('waits between words if asked to, and ends at once when it is aborted', async () => {
    const slow = offline({ delay: 5_000 });
    const controller = new AbortController();
    const read = async () => {
      for await (const delta of slow.stream(
        { messages: [{ role: 'user', content: 'Hi' }] },
        controller,
      )) {
        if (delta.type === 'finish') return 'finished';
      }
      return 'ended';
    };
    const started = performance.now();
    const reading = read();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each<[string, unknown]>([
    ['offline() has no option `dealy` (did you mean `delay`?). There is: `delay`.', { dealy: 5 }],
    ['The `delay` of offline() must be a number of milliseconds.', { delay: '5' }],
    ['The `delay` of offline() must be a number of milliseconds.', { delay: Number.NaN }],
    ['The options of offline() are an object', 5],
    ['The options of offline() are an object', null],
  ])('refuses options of no use: %s', (text, options) => {
    expect(() => offline(options as object)).toThrow(TypeError);
    expect(() => offline(options as object)).toThrow(text);
  });
});
