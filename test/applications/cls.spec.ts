/** Stores that an application enters around a request: nestjs-cls, and Node's own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, type ExecutionContext, type INestApplication } from '@nestjs/common';
import { AgentService, Tool, type AgentToolsModuleOptions } from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import {
  CLS_REQ,
  ClsGuard,
  ClsInterceptor,
  ClsModule,
  ClsService,
  InjectableProxy,
  type ClsModuleOptions,
} from 'nestjs-cls';
import supertest from 'supertest';
import type { App } from 'supertest/types.js';
import {
  FIVE,
  Journal,
  pause,
  seenBy,
  startStores,
  Store,
  type HttpRequest,
} from './cls/store.app.js';

let app: INestApplication<App>;
afterEach(() => app.close());

const clsStore = { provide: Store, useExisting: ClsService };

async function start(...args: Parameters<typeof startStores>) {
  app = await startStores(...args);
  return { journal: app.get(Journal).entries, agent: app.get(AgentService) };
}

const withCls = (cls: Partial<ClsModuleOptions>, options?: AgentToolsModuleOptions) =>
  start({ imports: [ClsModule.forRoot({ global: true, ...cls })], providers: [clsStore] }, options);

const setUser = (cls: ClsService, request: HttpRequest) =>
  cls.set('user', request.headers['x-user']);
const setUserOf = (cls: ClsService, context: ExecutionContext) =>
  setUser(cls, context.switchToHttp().getRequest<HttpRequest>());

const middleware = { middleware: { mount: true, setup: setUser } };
const guard = { guard: { mount: true, setup: setUserOf } };
const interceptor = { interceptor: { mount: true, setup: setUserOf } };

const post = (user: string, turns?: ScriptedTurn[]) =>
  supertest(app.getHttpServer()).post('/chat').set('x-user', user).send({ turns });

const storage = new AsyncLocalStorage<Map<string, unknown>>();

function startPlain() {
  const store: Store = {
    get: (key) => storage.getStore()?.get(key),
    set: (key, value) => storage.getStore()?.set(key, value),
  };
  return start(
    { providers: [{ provide: Store, useValue: store }] },
    {},
    (request, _response, next) => storage.run(new Map([['user', request.headers['x-user']]]), next),
  );
}

describe.each([
  ['the middleware of nestjs-cls', () => withCls(middleware)],
  ['the guard of nestjs-cls', () => withCls(guard)],
  ['the interceptor of nestjs-cls', () => withCls(interceptor)],
  ['an AsyncLocalStorage in a middleware', startPlain],
])('a store that is set by %s', (_mount, begin) => {
  it('is seen in guard, interceptor, tool and filter of five calls at once', async () => {
    const { journal } = await begin();
    const { body } = await post('ada').expect(201);
    expect(body).toHaveLength(5);
    expect(journal.toSorted()).toEqual(seenBy('ada'));
  });

  it('is not mixed up between requests at the same time', async () => {
    const { journal } = await begin();
    await Promise.all(['ada', 'bob', 'eve'].map((user) => post(user).expect(201)));
    expect(journal.toSorted()).toEqual(
      [seenBy('ada'), seenBy('bob'), seenBy('eve')].flat().toSorted(),
    );
  });

  it('is seen in server-sent events', async () => {
    const { journal } = await begin();
    const request = supertest(app.getHttpServer()).get('/chat/stream').query({ q: 'Go.' });
    const { text } = await request.set('x-user', 'ada').expect(200);
    expect(text).toContain('event: run-finished');
    expect(journal.toSorted()).toEqual(seenBy('ada'));
  });
});

describe('what a controller writes to the store', () => {
  const leftOut: AgentToolsModuleOptions = {
    globalEnhancers: (enhancer) =>
      !(enhancer instanceof ClsGuard || enhancer instanceof ClsInterceptor),
  };

  it.each([
    ['the middleware', () => withCls(middleware)],
    // nestjs-cls opens a new store in each context of a kind that it does not know.
    ['the guard, which tools leave out', () => withCls(guard, leftOut)],
    ['the interceptor, which tools leave out', () => withCls(interceptor, leftOut)],
    ['an AsyncLocalStorage', startPlain],
  ])('is read by a tool: %s', async (_mount, begin) => {
    const { journal } = await begin();
    const turns = [[{ tool: 'order' }, { tool: 'look' }]];
    const { body } = await post('ada', turns).expect(201);
    expect(body).toEqual(['order of ada', 'Success']);
    expect(journal).toContain('tool: ada');
  });
});

describe('cls.run()', () => {
  const run = <T>(user: string, callback: () => T) => {
    const cls = app.get(ClsService);
    return cls.run(() => {
      cls.set('user', user);
      return callback();
    });
  };

  it('is seen by the tools of a run inside of it', async () => {
    const { journal, agent } = await withCls({});
    await Promise.all(
      ['ada', 'bob'].map((user) =>
        run(user, () => agent.run('Go.', { model: scripted([FIVE, 'Done.']) })),
      ),
    );
    expect(journal.toSorted()).toEqual([...seenBy('ada'), ...seenBy('bob')].toSorted());
  });

  it('is seen by the tools of a stream that is read later and outside', async () => {
    const { journal, agent } = await withCls({});
    const model = scripted([FIVE, 'Done.']);
    const stream = run('ada', () => agent.stream('Go.', { model }));
    await pause();
    for await (const { type } of stream) {
      expect([type, app.get(ClsService).isActive()]).toEqual([type, false]);
    }
    await run('bob', () => stream.result);
    expect(journal.toSorted()).toEqual(seenBy('ada'));
  });

  it('is not there for the tools of a run outside of it', async () => {
    const { journal, agent } = await withCls({});
    await run('ada', () => pause());
    await agent.run('Go.', { model: scripted([FIVE, 'Done.']) });
    expect(journal.toSorted()).toEqual(seenBy('undefined'));
  });
});

@InjectableProxy()
class Visitor {
  readonly name: string | undefined;

  constructor(@Inject(CLS_REQ) request: HttpRequest) {
    this.name = request.headers['x-user'];
  }

  @Tool('Says who is there.')
  whoIsThere() {
    return `${this.name} is there`;
  }
}

@Injectable()
class Greeter {
  constructor(private readonly visitor: Visitor) {}

  @Tool('Greets.')
  async greet() {
    const before = this.visitor.name;
    await pause();
    return `Hello ${before}, ${this.visitor.name}`;
  }
}

describe('a proxy provider of nestjs-cls', () => {
  const turns = [[{ tool: 'greet' }, { tool: 'whoIsThere' }, { tool: 'greet' }]];

  it('is the one of the request, as a dependency of a tool and as its host', async () => {
    await start({
      imports: [
        ClsModule.forRoot({ global: true, middleware: { mount: true } }),
        ClsModule.forFeature(Visitor),
      ],
      providers: [clsStore, Greeter],
    });
    const users = ['ada', 'bob', 'eve'];
    const bodies = await Promise.all(
      users.map(async (user) => (await post(user, turns).expect(201)).body as unknown),
    );
    expect(bodies).toEqual(
      users.map((user) => [`Hello ${user}, ${user}`, `${user} is there`, `Hello ${user}, ${user}`]),
    );
  });

  it('has no request in a run outside of one, and the run goes on', async () => {
    const { agent } = await start({
      imports: [ClsModule.forRoot({ global: true }), ClsModule.forFeature(Visitor)],
      providers: [clsStore, Greeter],
    });
    const { steps, text } = await agent.run('Go.', { model: scripted([...turns, 'Done.']) });
    expect(text).toBe('Done.');
    expect(steps[0].toolResults.map(({ status }) => status)).toEqual([
      'success',
      'error',
      'success',
    ]);
  });
});
