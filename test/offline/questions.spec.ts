import { describe, expect, it } from '@jest/globals';
import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { offline } from 'nestjs-agent-tools/offline';

type Properties = Record<string, JsonSchema>;
type Call = [name: string, args: Record<string, unknown>];

function tool(
  name: string,
  description: string,
  properties: Properties,
  required = Object.keys(properties),
): ChatTool {
  return { name, description, inputSchema: { type: 'object', properties, required } };
}

const CURRENCY = { type: 'string', description: 'Currency code', pattern: '^[A-Z]{3}$' };
const ORDER_NO = { type: 'string', description: 'For example A-1042', pattern: '^A-\\d{4}$' };

const SHOP = [
  tool('findOrder', 'Finds an order by its number: status, items and total.', {
    orderNo: ORDER_NO,
  }),
  tool('ordersOfCustomer', 'Finds the orders of a customer.', {
    customer: { type: 'string', description: 'Name or e-mail address' },
  }),
  tool('shippingQuote', 'Price of shipping a parcel to a country.', {
    country: { type: 'string', description: 'Country in English' },
    weight: { type: 'number', description: 'Weight in kg' },
  }),
  tool('convertCurrency', 'Converts an amount between currencies.', {
    amount: { type: 'number' },
    from: CURRENCY,
    to: CURRENCY,
  }),
  tool('checkStock', 'How many pieces of an article are in stock.', {
    sku: { type: 'string', description: 'Article code' },
  }),
  tool(
    'refundOrder',
    'Refund an order.',
    { orderNo: ORDER_NO, amount: { type: 'number', description: 'Part of the price' } },
    ['orderNo'],
  ),
];

const ASSISTANT = [
  tool('current_weather', 'Get the current weather of a city.', { city: { type: 'string' } }),
  tool(
    'create_appointment',
    'Book an appointment.',
    {
      date: { type: 'string', format: 'date' },
      person: { type: 'string', description: 'Name of the person to meet' },
      time: { type: 'string', description: 'Time, HH:MM' },
    },
    ['date'],
  ),
  tool('unit_convert', 'Convert between units of measurement.', {
    value: { type: 'number' },
    from_unit: { type: 'string', description: 'Unit to convert from' },
    to_unit: { type: 'string', description: 'Unit to convert to' },
  }),
  tool('dictionary', 'Look up the definition of a word.', { word: { type: 'string' } }),
  tool('translate', 'Translate a text into another language.', {
    text: { type: 'string' },
    language: { type: 'string', description: 'Target language' },
  }),
  tool('calculate', 'Evaluate an arithmetic expression.', { expression: { type: 'string' } }),
];

const OFFICE = [
  tool(
    'create_task',
    'Create a task in the to-do list.',
    {
      title: { type: 'string' },
      priority: { type: 'string', enum: ['low', 'medium', 'high'] },
      due: { type: 'string', format: 'date' },
    },
    ['title'],
  ),
  tool(
    'list_tasks',
    'List tasks, optionally by status.',
    { status: { type: 'string', enum: ['open', 'in_progress', 'done'] } },
    [],
  ),
  tool('send_email', 'Send an email.', {
    to: { type: 'string', format: 'email' },
    body: { type: 'string', description: 'Text of the message' },
  }),
  tool('delete_file', 'Delete a file.', {
    path: { type: 'string', description: 'Path of the file' },
  }),
  tool(
    'search_docs',
    'Full-text search in the documentation.',
    { query: { type: 'string' }, limit: { type: 'integer', default: 10 } },
    ['query', 'limit'],
  ),
  tool(
    'play_music',
    'Play music by an artist.',
    {
      artist: { type: 'string' },
      shuffle: { type: 'boolean' },
      volume: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'Volume' },
    },
    ['artist'],
  ),
  tool('find_recipe', 'Find recipes with ingredients.', {
    ingredients: { type: 'array', items: { type: 'string' } },
  }),
];

async function ask(question: string, tools: readonly ChatTool[]) {
  const messages = [{ role: 'user' as const, content: question }];
  const { content } = await offline().generate({ messages, tools }, {});
  const calls: Call[] = [];
  let text = '';
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'tool-call') calls.push([part.name, JSON.parse(part.arguments)]);
  }
  return { calls, text };
}

describe('offline() asked about a shop', () => {
  it.each<[string, ...Call[]]>([
    ['Where is order A-1042?', ['findOrder', { orderNo: 'A-1042' }]],
    ['What is the status of A-1042?', ['findOrder', { orderNo: 'A-1042' }]],
    ['A-1042', ['findOrder', { orderNo: 'A-1042' }]],
    ['List all orders of Ada Lovelace.', ['ordersOfCustomer', { customer: 'Ada Lovelace' }]],
    ["Show Ada's orders", ['ordersOfCustomer', { customer: 'Ada' }]],
    [
      'Which orders belong to ada@example.com?',
      ['ordersOfCustomer', { customer: 'ada@example.com' }],
    ],
    [
      'The customer is Ada Lovelace. List the orders.',
      ['ordersOfCustomer', { customer: 'Ada Lovelace' }],
    ],
    [
      'What does shipping 2.5 kg to Germany cost?',
      ['shippingQuote', { weight: 2.5, country: 'Germany' }],
    ],
    ['How much is 100 EUR in USD?', ['convertCurrency', { amount: 100, from: 'EUR', to: 'USD' }]],
    [
      'How many USD are 1,250.50 EUR?',
      ['convertCurrency', { amount: 1250.5, from: 'EUR', to: 'USD' }],
    ],
    ['Do you have LAMP-01 in stock?', ['checkStock', { sku: 'LAMP-01' }]],
    ['Refund order A-1042', ['refundOrder', { orderNo: 'A-1042' }]],
    ['Refund 20 EUR of order A-1042', ['refundOrder', { orderNo: 'A-1042', amount: 20 }]],
    ['Give the customer of A-1042 a refund', ['refundOrder', { orderNo: 'A-1042' }]],
  ])('calls one tool for "%s"', async (question, ...calls) => {
    expect((await ask(question, SHOP)).calls).toEqual(calls);
  });

  it.each<[string, ...Call[]]>([
    [
      'What is the stock of LAMP-01 and how much is shipping 2 kg to Germany?',
      ['checkStock', { sku: 'LAMP-01' }],
      ['shippingQuote', { weight: 2, country: 'Germany' }],
    ],
    [
      'Find order A-1042, and tell me what 120 EUR are in USD.',
      ['findOrder', { orderNo: 'A-1042' }],
      ['convertCurrency', { amount: 120, from: 'EUR', to: 'USD' }],
    ],
    [
      'Find order A-1042 and refund it.',
      ['findOrder', { orderNo: 'A-1042' }],
      ['refundOrder', { orderNo: 'A-1042' }],
    ],
    [
      'Please find the orders A-1042 and A-1043',
      ['findOrder', { orderNo: 'A-1042' }],
      ['findOrder', { orderNo: 'A-1043' }],
    ],
    [
      'Convert 100 EUR to USD and GBP',
      ['convertCurrency', { amount: 100, from: 'EUR', to: 'USD' }],
      ['convertCurrency', { amount: 100, from: 'EUR', to: 'GBP' }],
    ],
    [
      'Ship 2 kg to Germany and 3 kg to France',
      ['shippingQuote', { weight: 2, country: 'Germany' }],
      ['shippingQuote', { weight: 3, country: 'France' }],
    ],
  ])('calls several tools for "%s"', async (question, ...calls) => {
    expect((await ask(question, SHOP)).calls).toEqual(calls);
  });

  it.each<[string, RegExp]>([
    ['Refund my order', /refundOrder needs orderNo/],
    ['How much is shipping to Germany?', /shippingQuote needs weight/],
    ['Hello!', /findOrder.*refundOrder/],
    ['What is the capital of France?', /findOrder.*refundOrder/],
    ['Tell me a joke', /findOrder.*refundOrder/],
    ['', /findOrder.*refundOrder/],
  ])('calls nothing for "%s", and says what there is or what it needs', async (question, said) => {
    const { calls, text } = await ask(question, SHOP);
    expect(calls).toEqual([]);
    expect(text).toMatch(said);
  });

  it.each(['Where is order A-1042?', 'A-1042?', 'Who bought A-1042, and what did it cost?'])(
    'refunds nothing for "%s"',
    async (question) => {
      const { calls } = await ask(question, [...SHOP].reverse());
      expect(calls.map(([name]) => name)).not.toContain('refundOrder');
    },
  );
});

describe('offline() asked as an assistant', () => {
  it.each<[string, ...Call[]]>([
    ['What is the weather in London?', ['current_weather', { city: 'London' }]],
    ['weather in berlin', ['current_weather', { city: 'berlin' }]],
    ['Will it rain in San Francisco tomorrow?', ['current_weather', { city: 'San Francisco' }]],
    ['I am in Oslo. What is the weather?', ['current_weather', { city: 'Oslo' }]],
    [
      'What is the weather in Paris, Rome and New York?',
      ['current_weather', { city: 'Paris' }],
      ['current_weather', { city: 'Rome' }],
      ['current_weather', { city: 'New York' }],
    ],
    ['Book an appointment on 2026-03-01', ['create_appointment', { date: '2026-03-01' }]],
    [
      'Schedule an appointment with Dr. Smith on 2026-03-01 at 10:30',
      ['create_appointment', { date: '2026-03-01', person: 'Dr. Smith', time: '10:30' }],
    ],
    ['Convert 5 miles to km', ['unit_convert', { value: 5, from_unit: 'miles', to_unit: 'km' }]],
    [
      'How many feet are 2 meters?',
      ['unit_convert', { value: 2, from_unit: 'meters', to_unit: 'feet' }],
    ],
    ['What does serendipity mean?', ['dictionary', { word: 'serendipity' }]],
    ['Define "entropy"', ['dictionary', { word: 'entropy' }]],
    [
      'Translate good morning into Spanish',
      ['translate', { text: 'good morning', language: 'Spanish' }],
    ],
    ['Calculate 2 + 2 * 3', ['calculate', { expression: '2 + 2 * 3' }]],
    [
      'What is the weather in Oslo and what does fjord mean?',
      ['current_weather', { city: 'Oslo' }],
      ['dictionary', { word: 'fjord' }],
    ],
  ])('calls the right tools for "%s"', async (question, ...calls) => {
    expect((await ask(question, ASSISTANT)).calls).toEqual(calls);
  });

  it.each([
    'What is the weather like today?',
    'Is the weather nice?',
    'The weather is great, thanks',
    'Cancel my appointment on 2026-03-01',
    'Which appointments do I have on 2026-03-01?',
    'Book an appointment',
    'Who won the world cup?',
  ])('makes no value up for "%s"', async (question) => {
    expect((await ask(question, ASSISTANT)).calls).toEqual([]);
  });
});

describe('offline() asked in an office', () => {
  it.each<[string, ...Call[]]>([
    [
      'Create a task "Buy milk" with high priority due 2026-01-05',
      ['create_task', { title: 'Buy milk', priority: 'high', due: '2026-01-05' }],
    ],
    ['Add a task to water the plants', ['create_task', { title: 'water the plants' }]],
    ['Show all tasks', ['list_tasks', {}]],
    ['List the tasks in progress', ['list_tasks', { status: 'in_progress' }]],
    [
      'Send an email to bob@example.com saying "I am late"',
      ['send_email', { to: 'bob@example.com', body: 'I am late' }],
    ],
    ['Delete the file reports/2024.pdf', ['delete_file', { path: 'reports/2024.pdf' }]],
    ['Where is the file reports/2024.pdf?'],
    ['Search the docs for retry policy', ['search_docs', { query: 'retry policy', limit: 10 }]],
    [
      'Play Radiohead with shuffle at volume 40',
      ['play_music', { artist: 'Radiohead', shuffle: true, volume: 40 }],
    ],
    [
      'Play music by Nina Simone without shuffle',
      ['play_music', { artist: 'Nina Simone', shuffle: false }],
    ],
    [
      'Find a recipe with chicken, rice and peas',
      ['find_recipe', { ingredients: ['chicken', 'rice', 'peas'] }],
    ],
  ])('calls the right tools for "%s"', async (question, ...calls) => {
    expect((await ask(question, OFFICE)).calls).toEqual(calls);
  });

  it('reads the same question the same way every time', async () => {
    const question = 'Create a task "Buy milk", and delete the file a/b.txt';
    const first = await ask(question, OFFICE);
    expect(first.calls).toHaveLength(2);
    expect(await ask(question, OFFICE)).toEqual(first);
  });

  it('stays quick with a long and hostile question', async () => {
    for (const piece of ['1,', 'Ada and Bob, ', 'A-1 ', '"', '( 1 + ', 'a.b@']) {
      const started = performance.now();
      await ask(piece.repeat(20_000), [...SHOP, ...ASSISTANT, ...OFFICE]);
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  });
});
