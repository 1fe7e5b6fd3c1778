/** The application that everybody has, over HTTP: what its global enhancers do to tool calls. */
import { describe, expect, it } from '@jest/globals';
import { type HttpException, type Provider } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { AgentService, type AgentToolsModuleOptions } from 'nestjs-agent-tools';
import { callTool, type ScriptedChatModel } from 'nestjs-agent-tools/testing';
import {
  filter,
  FIT,
  guard,
  HTTP_ONLY,
  interceptor,
  startEverybody,
  THROTTLE_LIMIT,
  tokenOf,
} from './everybody/app.js';
import { RolesGuard } from './everybody/auth.js';
import * as fit from './everybody/fit.js';
import * as httpOnly from './everybody/http-only.js';

const REQUEST = { url: '/chat', ip: '127.0.0.1', headers: {} };

/** What the model read of its calls. */
const toolTexts = ({ requests }: ScriptedChatModel) =>
  (requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ content }) => content) : [],
  );

/** The error and what it was caused by. */
function causesOf(error: unknown): unknown[] {
  return error === undefined ? [] : [error, ...causesOf((error as Error).cause)];
}

describe('a global enhancer that was written for HTTP only', () => {
  it.each<[string, Provider, tool: string, request: object | undefined]>([
    ['JwtAuthGuard', guard(httpOnly.JwtAuthGuard), 'findOrder', undefined],
    ['RolesGuard', guard(RolesGuard), 'refund', undefined],
    ['ThrottlerGuard', guard(ThrottlerGuard), 'findOrder', undefined],
    ['ThrottlerGuard', guard(ThrottlerGuard), 'findOrder', REQUEST],
  ])(
    'fails the call if it is a guard, and the method does not run: %s',
    async (name, provider, tool, request) => {
      const { app, runs, logs } = await startEverybody({ enhancers: [provider] });
      const args = { orderNo: 'A-1', amount: 1 };
      const { status, error, content } = await callTool(app, tool, args, { request });
      expect(status).toBe('error');
      expect(runs).toEqual([]);
      expect(content).not.toContain('undefined');
      expect(causesOf(error)).toContainEqual(expect.objectContaining({ name: 'TypeError' }));
      expect(logs.text()).toContain(name);
      const remedy = request ? 'isToolContext(context)' : 'run(input, { request })';
      expect(logs.text()).toContain(remedy);
    },
  );

  it('fails the call if it is an interceptor that maps what the tool returned', async () => {
    const enhancers = [interceptor(httpOnly.ResponseInterceptor)];
    const { app, runs, logs } = await startEverybody({ enhancers });
    const request = { ...REQUEST, user: { sub: 'ada', roles: [] } };
    const result = await callTool(app, 'findOrder', { orderNo: 'A-1' }, { request });
    expect(result.status).toBe('error');
    expect(runs).toEqual(['findOrder by ada']);
    expect(causesOf(result.error)).toContainEqual(expect.objectContaining({ name: 'TypeError' }));
    expect(logs.text()).toContain('ResponseInterceptor');
    expect(logs.text()).toContain('isToolContext(context)');
    expect(logs.text()).toContain('globalEnhancers');
  });

  const handlers: [string, Provider][] = [
    ['HttpExceptionFilter', filter(httpOnly.HttpExceptionFilter)],
    ['AllExceptionsFilter', filter(httpOnly.AllExceptionsFilter)],
    ['ErrorHeaderInterceptor', interceptor(httpOnly.ErrorHeaderInterceptor)],
  ];

  it.each(handlers)('does not hide what the tool threw: %s', async (name, provider) => {
    const { app, runs, logs } = await startEverybody({ enhancers: [provider] });
    const result = await callTool(app, 'findOrder', { orderNo: 'A-9' }, { request: REQUEST });
    expect(result).toMatchObject({ status: 'error', content: 'There is no order A-9.' });
    expect(causesOf(result.error)).toContainEqual(
      expect.objectContaining({ name: 'NotFoundException' }),
    );
    expect(runs).toHaveLength(1);
    expect(logs.text()).toContain(name);
    expect(logs.text()).toMatch(/isToolContext\((host|context)\)/);
  });

  it.each(handlers)('is not blamed for an error of the tool: %s', async (_name, provider) => {
    const { app, runs, logs } = await startEverybody({ enhancers: [provider] });
    const result = await callTool(app, 'countOrders', {}, { request: REQUEST });
    expect(causesOf(result.error)).toContainEqual(
      expect.objectContaining({ message: 'The database is down.' }),
    );
    expect(runs).toEqual(['countOrders']);
    const lines = logs.lines.filter((line) => line.includes('The database is down.'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^Tool "countOrders" failed \[\w+\]: The database is down\.$/);
  });

  it('is named beside another one that crashed further in', async () => {
    const enhancers = [
      interceptor(httpOnly.ErrorHeaderInterceptor),
      interceptor(httpOnly.ResponseInterceptor),
    ];
    const { app, logs } = await startEverybody({ enhancers });
    const { status } = await callTool(app, 'openingHours', {}, { request: REQUEST });
    expect(status).toBe('error');
    expect(logs.text()).toContain('ErrorHeaderInterceptor');
    expect(logs.text()).toContain('ResponseInterceptor');
  });

  it.each(handlers)(
    'does not hide what is wrong with the arguments: %s',
    async (_name, provider) => {
      const { app, runs } = await startEverybody({ enhancers: [provider] });
      const result = await callTool(app, 'findOrder', { orderNo: 7 }, { request: REQUEST });
      expect(result.status).toBe('error');
      expect(result.content).toContain('orderNo');
      expect(runs).toEqual([]);
    },
  );

  it.each(handlers)('does not make an error of a denial: %s', async (_name, provider) => {
    const enhancers = [guard(fit.JwtAuthGuard), provider];
    const { app, runs, logs } = await startEverybody({ enhancers });
    const result = await callTool(app, 'findOrder', { orderNo: 'A-1' }, { request: REQUEST });
    expect(result.status).toBe('denied');
    expect(causesOf(result.error).map((error) => (error as HttpException).name)).toContain(
      'UnauthorizedException',
    );
    expect(runs).toEqual([]);
    expect(logs.text()).toContain('JwtAuthGuard');
  });

  it('leaves the run and the response in order: all of them over HTTP', async () => {
    const turns = [
      [{ tool: 'findOrder', arguments: { orderNo: 'A-1' } }, { tool: 'openingHours' }],
    ];
    const { app, http, model, runs, logs } = await startEverybody({
      enhancers: HTTP_ONLY,
      turns: [...turns, 'Sorry.'],
    });
    const { body } = await http
      .post('/chat')
      .set('authorization', await tokenOf(app, 'ada'))
      .send({ message: 'Where is A-1?' })
      .expect(201);
    expect(body).toEqual({ data: { text: 'Sorry.' }, statusCode: 201 });
    expect(toolTexts(model)).toEqual([
      expect.stringContaining('failed unexpectedly'),
      expect.stringContaining('failed unexpectedly'),
    ]);
    expect(runs).toEqual([]);
    expect(logs.text()).toContain('ThrottlerGuard');
  });
});

/** Only the guard that decides who may call has to be made fit; what is about HTTP is left out. */
const leavingOut: AgentToolsModuleOptions = {
  globalEnhancers: (enhancer, kind) =>
    kind === 'guard' ? !(enhancer instanceof ThrottlerGuard) : kind === 'pipe',
};

describe.each<[string, readonly Provider[], AgentToolsModuleOptions]>([
  ['made fit by isToolContext()', FIT, {}],
  ['left out by globalEnhancers', HTTP_ONLY.with(1, guard(fit.JwtAuthGuard)), leavingOut],
])('the application with its enhancers %s', (_way, enhancers, options) => {
  const find = { tool: 'findOrder', arguments: { orderNo: 'A-1' } };
  const refund = { tool: 'refund', arguments: { orderNo: 'A-1', amount: 5 } };
  const start = (...turns: Parameters<typeof startEverybody>[0]['turns'] & object) =>
    startEverybody({ enhancers, options, turns });

  async function ask(started: Awaited<ReturnType<typeof start>>, ...user: [string, ...string[]]) {
    return started.http
      .post('/chat')
      .set('authorization', await tokenOf(started.app, ...user))
      .send({ message: 'Hi' });
  }

  it('lets a user with a valid token call tools, as that user', async () => {
    const started = await start([find, { tool: 'openingHours' }], 'Here.');
    const { status, body } = await ask(started, 'ada');
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: { text: 'Here.' }, statusCode: 201 },
    });
    expect(toolTexts(started.model)).toEqual([
      '{"orderNo":"A-1","isDto":true,"owner":"ada"}',
      'From 9 to 5.',
    ]);
    expect(started.logs.lines).toEqual([]);
    expect(started.model.requests[0].messages[0]).toEqual({
      role: 'system',
      content: 'You help customers.',
    });
  });

  it.each([[{}], [{ authorization: 'Bearer forged' }]])(
    'refuses the run itself over HTTP with the headers %o',
    async (headers) => {
      const { http, model, runs } = await start(find, 'Here.');
      const { status, body } = await http.post('/chat').set(headers).send({ message: 'Hi' });
      expect({ status, body }).toEqual({ status: 401, body: { statusCode: 401, path: '/chat' } });
      await http.get('/chat/stream?q=Hi').set(headers).expect(401);
      expect(model.requests).toEqual([]);
      expect(runs).toEqual([]);
    },
  );

  it('denies the tools of a run without a request, except for public ones', async () => {
    const { app, runs } = await start([find, refund, { tool: 'openingHours' }], 'Here.');
    const { steps } = await app.get(AgentService).run('Hi');
    expect(steps[0].toolResults.map(({ status }) => status)).toEqual([
      'denied',
      'denied',
      'success',
    ]);
    expect(runs).toEqual(['openingHours']);
  });

  it('denies a tool to a user without the role in its metadata', async () => {
    const started = await start(
      { ...refund, arguments: { ...refund.arguments, user: { sub: 'eve', roles: ['support'] } } },
      refund,
      'No.',
    );
    await ask(started, 'ada', 'customer');
    const texts = toolTexts(started.model);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain('Denied');
    expect(started.runs).toEqual([]);
    expect(started.logs.text()).toContain('denied by RolesGuard');
  });

  it('grants it to a user with the role', async () => {
    const started = await start(refund, 'Done.');
    await ask(started, 'sam', 'support');
    expect(toolTexts(started.model)).toEqual(['5 of A-1 were refunded by sam.']);
  });

  it('tells the model what the tool threw and what is wrong with the arguments', async () => {
    const started = await start(
      { tool: 'findOrder', arguments: { orderNo: 'A-9' } },
      { tool: 'findOrder', arguments: { orderNo: 'nonsense' } },
      'No.',
    );
    await ask(started, 'ada');
    expect(toolTexts(started.model)).toEqual([
      'There is no order A-9.',
      expect.stringContaining('orderNo'),
    ]);
    expect(started.runs).toEqual(['findOrder by ada']);
    expect(started.logs.lines).toEqual([]);
  });

  it('validates and throttles requests, but not tool calls', async () => {
    const calls = Array.from({ length: THROTTLE_LIMIT + 2 }, () => find);
    const started = await start(calls, 'Done.');
    await ask(started, 'ada');
    expect(started.runs).toHaveLength(THROTTLE_LIMIT + 2);
    const authorization = await tokenOf(started.app, 'ada');
    for (const status of [400, 400, 429]) {
      await started.http.post('/chat').set({ authorization }).send({ message: 1 }).expect(status);
    }
  });

  it('streams the calls of a user with a valid token', async () => {
    const { app, http, runs } = await start(find, 'Here.');
    const { text } = await http
      .get('/chat/stream?q=Hi')
      .set('authorization', await tokenOf(app, 'ada'))
      .expect(200);
    expect(text).toContain('"status":"success"');
    expect(text).toContain('run-finished');
    expect(runs).toEqual(['findOrder by ada']);
  });
});

describe('a throttler for tools, too', () => {
  it('refuses what is over the limit of a tool, and says so to the model', async () => {
    const enhancers = [guard(fit.ToolThrottlerGuard)];
    const { app, runs } = await startEverybody({ enhancers });
    const results = [];
    for (let call = 0; call <= THROTTLE_LIMIT; call++) {
      results.push(await callTool(app, 'openingHours', {}, { request: REQUEST }));
    }
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: THROTTLE_LIMIT }, () => 'success'),
      'error',
    ]);
    expect(results[THROTTLE_LIMIT].content).toContain('Too Many Requests');
    expect(runs).toHaveLength(THROTTLE_LIMIT);
    const other = await callTool(app, 'findOrder', { orderNo: 'A-1' }, { request: REQUEST });
    expect(other.status).toBe('success');
  });
});
