import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { App } from 'supertest/types.js';
import { AgentService, type AgentEvent } from 'nestjs-agent-tools';
import request from 'supertest';
import { AppModule } from '../../apps/demo/src/app.module.js';
import { USERS } from '../../apps/demo/src/auth/users.data.js';
import { chooseModel } from '../../apps/demo/src/choose-model.js';
import { RefundsService } from '../../apps/demo/src/refunds/refunds.service.js';
import { RunPrinter } from '../../apps/demo/src/run.printer.js';

const [ada, sam] = USERS.values();

describe('the demo', () => {
  let app: INestApplication<App>;
  const env = { ...process.env };

  beforeAll(async () => {
    delete process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_BASE_URL;
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = testing.createNestApplication<INestApplication<App>>();
    Logger.overrideLogger(false);
    await app.init();
  });
  afterAll(async () => {
    process.env = env;
    await app.close();
  });

  const ask = (question: string, user = ada) =>
    app.get(AgentService).run(question, { request: { headers: {}, user } });

  it('has six tools', async () => {
    const { body } = (await request(app.getHttpServer()).get('/tools').expect(200)) as {
      body: { name: string }[];
    };
    expect(body.map(({ name }) => name)).toEqual([
      'checkStock',
      'convertCurrency',
      'customerOrders',
      'findOrder',
      'refundOrder',
      'shippingQuote',
    ]);
  });

  it.each<[question: string, calls: [string, unknown][], text: string[]]>([
    ['Where is my order A-1042?', [['findOrder', { orderNo: 'A-1042' }]], ['shipped']],
    [
      'How many LAMP-01 are in stock, and what does shipping 3 kg to Japan cost?',
      [
        ['checkStock', { sku: 'LAMP-01' }],
        ['shippingQuote', { country: 'Japan', kilos: 3 }],
      ],
      ['14', '36'],
    ],
    [
      'Convert 100 EUR to USD',
      [['convertCurrency', { amount: 100, from: 'EUR', to: 'USD' }]],
      ['110'],
    ],
    [
      'List the orders of Grace Hopper.',
      [['customerOrders', { customer: 'Grace Hopper' }]],
      ['A-1043'],
    ],
  ])('answers "%s"', async (question, calls, texts) => {
    const { messages, text, status } = await ask(question);
    expect(status).toBe('completed');
    const made = messages
      .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
      .filter((part) => part.type === 'tool-call')
      .map(({ name, arguments: args }) => [name, JSON.parse(args) as unknown]);
    expect(made).toEqual(calls);
    for (const part of texts) expect(text).toContain(part);
  });

  it('denies a refund to a customer and grants it to support', async () => {
    const refunds = app.get(RefundsService).refunded;
    const denied = await ask('Please refund order A-1077.');
    expect(denied.steps[0].toolResults).toMatchObject([{ name: 'refundOrder', status: 'denied' }]);
    expect(refunds.size).toBe(0);
    const granted = await ask('Please refund order A-1077.', sam);
    expect(granted.steps[0].toolResults).toMatchObject([
      { name: 'refundOrder', status: 'success' },
    ]);
    expect([...refunds]).toEqual([['A-1077', 'Sam Support']]);
  });

  it('answers over HTTP, with the user of the token', async () => {
    app.get(RefundsService).refunded.clear();
    const post = (token: string, message: unknown) =>
      request(app.getHttpServer())
        .post('/chat')
        .set('authorization', `Bearer ${token}`)
        .send({ message });
    const { body } = (await post('nobody', 'Where is my order A-1042?').expect(201)) as {
      body: { text: string };
    };
    expect(body.text).toContain('shipped');
    await post('ada', 'Please refund order A-1077.').expect(201);
    expect(app.get(RefundsService).refunded.size).toBe(0);
    await post('sam', 'Please refund order A-1077.').expect(201);
    expect(app.get(RefundsService).refunded.size).toBe(1);
    await post('ada', '').expect(400);
  });

  it('streams server-sent events without arguments or results', async () => {
    const { text, headers } = await request(app.getHttpServer())
      .get('/chat/stream')
      .query({ q: 'Where is my order A-1042?' })
      .expect(200);
    expect(headers['content-type']).toContain('text/event-stream');
    const events = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(new Set(events)).toEqual(
      new Set([
        'run-started',
        'step-started',
        'tool-call',
        'tool-result',
        'step-finished',
        'text-delta',
        'run-finished',
      ]),
    );
    expect(events.at(-1)).toBe('run-finished');
    const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json) as object);
    const keys = new Set(data.flatMap((event) => Object.keys(event)));
    expect(keys).toEqual(new Set(['runId', 'step', 'callId', 'name', 'status', 'text']));
  });

  it('prints every step as it happens', async () => {
    let printed = '';
    const printer = new RunPrinter({ write: (text: string) => (printed += text) });
    printer.start(chooseModel({}).name, ada);
    printer.question('Where is my order A-1042?');
    const events: AgentEvent[] = [];
    for await (const event of app.get(AgentService).stream('Where is my order A-1042?')) {
      events.push(event);
      printer.print(event);
    }
    expect(printed).toMatch(
      /^Model: offline \(rules, not a language model\)\nUser: {2}Ada Lovelace \(customer\)/,
    );
    expect(printed).toContain('→ findOrder({"orderNo":"A-1042"})');
    expect(printed).toMatch(/← findOrder success in [\d.]+ ms: \{"orderNo":"A-1042"/);
    expect(printed).toMatch(/step 2 took [\d.]+ ms, \d+ tokens/);
    expect(printed).toMatch(/completed: 2 steps, \d+ tokens\n$/);
  });

  it('takes a real model from the environment', () => {
    expect(chooseModel({ OPENAI_API_KEY: 'k' }).name).toBe('openai:gpt-5-mini');
    expect(
      chooseModel({ OPENAI_BASE_URL: 'http://localhost:1/v1', OPENAI_MODEL: 'qwen3' }).name,
    ).toBe('openai:qwen3');
  });
});
