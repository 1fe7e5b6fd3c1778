/** Which instances of request-scoped, transient and durable providers a tool call gets. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Inject,
  Injectable,
  Post,
  Req,
  Scope,
  UseGuards,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import { AgentService, getAgentToken, Tool, ToolExecutor, type AgentRun } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import supertest from 'supertest';
import type { App } from 'supertest/types.js';
import { go, Journal, startSessions, TURNS } from './request-scope/session.app.js';

let app: INestApplication<App>;
afterEach(() => app.close());

async function start(...args: Parameters<typeof startSessions>) {
  app = await startSessions(...args);
  return {
    journal: app.get(Journal),
    agent: app.get(AgentService),
    executor: app.get(ToolExecutor),
  };
}

const post = (path: string, headers: Record<string, string> = {}) =>
  supertest(app.getHttpServer()).post(path).set(headers).expect(201);

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

describe('a run that a request-scoped controller starts with its request', () => {
  it('shares the instances of the controller, and REQUEST is the request', async () => {
    const { journal } = await start();
    await post('/scoped');
    await post('/scoped');
    expect(journal.numbers('controller')).toEqual([1, 2]);
    expect(journal.numbers('guard')).toEqual([1, 1, 1, 2, 2, 2]);
    expect(journal.numbers('tool')).toEqual([1, 1, 1, 2, 2, 2]);
    expect(journal.numbers('host')).toEqual([1, 1, 1, 2, 2, 2]);
    const requests = journal.sights.filter(({ place }) => place === 'tool');
    expect(requests[0].request).toBe(journal.sights[0].request);
    expect(requests[0].request).toMatchObject({ method: 'POST', url: '/scoped' });
    expect(requests[5].request).not.toBe(requests[0].request);
  });
});

describe('runs of one request, in a middleware and in a request-scoped controller', () => {
  it('share the instances of the controller from there on', async () => {
    const { journal } = await start({}, async (request, _response, next) => {
      await go(app.get(AgentService), request);
      next();
    });
    await post('/scoped');
    const [no] = journal.numbers('controller');
    expect(journal.numbers('tool').slice(3)).toEqual([no, no, no]);
  });
});

describe('runs that a static controller starts with one request', () => {
  it('share one set of instances, and REQUEST is the request', async () => {
    const { journal } = await start();
    await post('/static');
    expect(journal.numbers('tool')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(journal.numbers('guard')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(journal.numbers('host')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(journal.numbers('transient')).toEqual([1, 1, 1, 1]);
    const [request] = journal.sights.map((sight) => sight.request);
    expect(request).toMatchObject({ method: 'POST', url: '/static' });
    for (const sight of journal.sights.filter(({ place }) => place !== 'transient')) {
      expect(sight.request).toBe(request);
    }
  });

  it('share none with those of another request', async () => {
    const { journal } = await start();
    await Promise.all([post('/static'), post('/static')]);
    const numbers = journal.numbers('tool');
    expect(numbers.filter((no) => no === 1)).toHaveLength(6);
    expect(numbers.filter((no) => no === 2)).toHaveLength(6);
    expect(new Set(journal.numbers('transient'))).toEqual(new Set([1, 2]));
  });
});

describe('runs without a request', () => {
  it('have instances of their own, and REQUEST is the run', async () => {
    const { journal, agent } = await start();
    await go(agent);
    await go(agent);
    expect(journal.numbers('tool')).toEqual([1, 1, 1, 2, 2, 2]);
    expect(journal.numbers('guard')).toEqual([1, 1, 1, 2, 2, 2]);
    expect(journal.numbers('host')).toEqual([1, 1, 1, 2, 2, 2]);
    expect(journal.numbers('transient')).toEqual([1, 1, 2, 2]);
    for (const { request, run } of journal.sights.filter(({ place }) => place === 'tool')) {
      expect(request).toBe(run);
    }
  });

  it('inject the id, the agent and the context of the run', async () => {
    const { journal } = await start();
    const context = { tenant: 'acme' };
    const agent = app.get<AgentService>(getAgentToken('clerk'), { strict: false });
    await agent.run('Go.', { context, model: scripted(TURNS) });
    expect(journal.sights[0].request).toMatchObject({
      id: expect.any(String),
      agent: 'clerk',
      request: undefined,
      context,
    });
  });

  it('keep apart when they run at the same time', async () => {
    const { journal, agent } = await start();
    await Promise.all(Array.from({ length: 5 }, () => go(agent)));
    for (const place of ['guard', 'tool', 'host']) {
      expect(sorted(journal.numbers(place))).toEqual([1, 2, 3, 4, 5].flatMap((no) => [no, no, no]));
    }
    expect(sorted(journal.numbers('transient'))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    const pairs = journal.sights.filter(({ place }) => place === 'tool');
    expect(new Set(pairs.map(({ no, run }) => `${no} ${(run as { id: string }).id}`)).size).toBe(5);
  });
});

describe('ToolExecutor', () => {
  it('shares the instances of a request between its calls and runs', async () => {
    const { journal, agent, executor } = await start();
    const request = { headers: {} };
    await executor.execute('look', {}, { request });
    await go(agent, request);
    await executor.execute('look', {}, { request });
    await executor.execute('look', {}, { request: { headers: {} } });
    expect(journal.numbers('tool')).toEqual([1, 1, 1, 1, 1, 2]);
    expect(journal.sights[0].request).toBe(request);
  });

  it('gives each call without a request its own, and REQUEST is the run', async () => {
    const { journal, executor } = await start();
    await Promise.all([1, 2, 3].map((user) => executor.execute('look', {}, { context: { user } })));
    expect(sorted(journal.numbers('tool'))).toEqual([1, 2, 3]);
    const runs = journal.sights.filter(({ place }) => place === 'tool');
    for (const { request, run } of runs) expect(request).toBe(run);
    expect(runs.map(({ request }) => (request as AgentRun).context)).toEqual(
      [1, 2, 3].map((user) => ({ user })),
    );
  });
});

interface HttpRequest {
  readonly headers: Record<string, string | undefined>;
  readonly tenant?: string;
}

class TenantStrategy implements ContextIdStrategy<HttpRequest> {
  private readonly tenants = new Map<string, ContextId>();

  attach(contextId: ContextId, request: HttpRequest) {
    const tenant = request.headers['x-tenant'] ?? 'none';
    const ofTenant = this.tenants.get(tenant) ?? ContextIdFactory.create();
    this.tenants.set(tenant, ofTenant);
    return {
      resolve: ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? ofTenant : contextId),
      payload: { tenant },
    };
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantGuard implements CanActivate {
  private readonly no: number;

  constructor(private readonly journal: Journal) {
    this.no = journal.next('tenant guard');
  }

  canActivate() {
    this.journal.sights.push({ place: 'tenant guard', no: this.no, request: undefined });
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
@UseGuards(TenantGuard)
class TenantTools {
  private readonly no: number;

  constructor(
    private readonly journal: Journal,
    @Inject(REQUEST) private readonly request: HttpRequest,
  ) {
    this.no = journal.next('tenant');
  }

  @Tool('Looks at the tenant.')
  lookAtTenant() {
    this.journal.sights.push({ place: 'tenant', no: this.no, request: this.request });
    return `${this.no} ${this.request.tenant}`;
  }
}

describe('durable providers', () => {
  afterEach(() => ContextIdFactory.apply(undefined as unknown as ContextIdStrategy));

  @Controller('tenant')
  class TenantController {
    constructor(private readonly agent: AgentService) {}

    @Post()
    async chat(@Req() request: HttpRequest) {
      const model = scripted([[{ tool: 'lookAtTenant' }, { tool: 'look' }], 'Done.']);
      const { steps } = await this.agent.run('Go.', { request, model });
      return steps[0].toolResults.map(({ content }) => content);
    }
  }

  const startTenants = () => {
    ContextIdFactory.apply(new TenantStrategy());
    return start({ controllers: [TenantController], providers: [TenantTools] });
  };

  const postAs = async (tenant: string) =>
    (await post('/tenant', { 'x-tenant': tenant })).body as unknown;

  it('are those of the tenant: of a, a and b they are the first, the first, the second', async () => {
    const { journal } = await startTenants();
    for (const tenant of ['a', 'a', 'b']) await postAs(tenant);
    expect(journal.numbers('tenant')).toEqual([1, 1, 2]);
    expect(journal.numbers('tenant guard')).toEqual([1, 1, 2]);
  });

  it('leave request-scoped providers to the request', async () => {
    const { journal } = await startTenants();
    for (const tenant of ['a', 'a', 'b']) await postAs(tenant);
    expect(journal.numbers('tool')).toEqual([1, 2, 3]);
  });

  it('find the payload of the strategy in REQUEST, as on a controller', async () => {
    await startTenants();
    expect(await postAs('a')).toEqual(['1 a', 'Success']);
    expect(await postAs('b')).toEqual(['2 b', 'Success']);
  });

  it('leave the payload on the request for request-scoped ones, as on a controller', async () => {
    const { journal } = await startTenants();
    await postAs('a');
    const [{ request }] = journal.sights.filter(({ place }) => place === 'tool');
    expect(request).toMatchObject({ method: 'POST', tenant: 'a' });
  });

  it('are those of the tenant for ToolExecutor', async () => {
    const { executor, journal } = await startTenants();
    const contents = [];
    for (const tenant of ['a', 'a', 'b']) {
      const request = { headers: { 'x-tenant': tenant } };
      contents.push((await executor.execute('lookAtTenant', {}, { request })).content);
    }
    expect(contents).toEqual(['1 a', '1 a', '2 b']);
    expect(journal.numbers('tenant')).toEqual([1, 1, 2]);
  });

  it('are refused where the strategy throws for a run without a request', async () => {
    const { executor, journal } = await startTenants();
    const { status } = await executor.execute('lookAtTenant', {});
    expect(status).toBe('error');
    expect(journal.numbers('tenant')).toEqual([]);
  });
});
