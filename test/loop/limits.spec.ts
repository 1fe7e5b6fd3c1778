import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentRunException,
  AgentService,
  AgentToolsModule,
  CurrentToolCall,
  getAgentToken,
  getChatModelToken,
  InjectAgent,
  RunContext,
  Tool,
  type AgentLimits,
  type AgentOptions,
  type AgentToolsModuleOptions,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { compileApp } from '../support/app.js';
import { readAll } from './support/events.js';
import { callsOf, resultsOf } from './support/messages.js';
import { silent } from './support/models.js';
import { runToEnd, streamToEnd } from './support/outcome.js';

const seen: unknown[] = [];

@Injectable()
class OrderTools {
  @Tool('Finds an order.')
  findOrder(@CurrentToolCall() call: ToolCall, @RunContext('tenant') tenant: string) {
    seen.push({ agent: call.run.agent, request: call.run.request, tenant });
    return 'found';
  }

  @Tool('Cancels an order.')
  cancelOrder() {
    return 'cancelled';
  }
}

@Injectable()
class MailTools {
  @Tool('Sends a mail.')
  sendMail() {
    return 'sent';
  }
}

@Injectable()
class SpecialMailTools extends MailTools {}

@Injectable()
class NoTools {}

@Injectable()
class Desk {
  constructor(
    readonly standard: AgentService,
    @InjectAgent('billing') readonly billing: AgentService,
  ) {}
}

const always = (): ScriptedTurn[] => Array.from({ length: 12 }, () => ({ tool: 'findOrder' }));

const apps: TestingModule[] = [];

beforeEach(() => {
  seen.length = 0;
});

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

interface Setup {
  readonly module?: AgentToolsModuleOptions;
  readonly agent?: Partial<AgentOptions>;
  readonly providers?: Type[];
}

/** An application with the agent "billing", not yet initialised. */
async function compileDesk({ module = {}, agent = {}, providers }: Setup): Promise<TestingModule> {
  const feature = AgentToolsModule.forFeature({ agents: [{ name: 'billing', ...agent }] });
  const metadata = {
    imports: [feature],
    providers: [OrderTools, Desk, ...(providers ?? [MailTools])],
  };
  const app = await compileApp(metadata, module);
  apps.push(app);
  return app;
}

async function desk(setup: Setup = {}): Promise<Desk> {
  const app = await compileDesk(setup);
  await app.init();
  return app.get(Desk);
}

/** Each level's value against all farther ones: run, agent, module, default. */
const LEVELS = ['run', 'agent', 'module'] as const;

function levels<T>(level: (typeof LEVELS)[number], near: T, far: T): Record<string, T | undefined> {
  const index = LEVELS.indexOf(level);
  return Object.fromEntries(
    LEVELS.map((name, at) => [name, at < index ? undefined : at === index ? near : far]),
  );
}

describe('the limit of steps', () => {
  it.each(LEVELS)('can be set for the %s, and wins there against all wider ones', async (level) => {
    const set = levels<AgentLimits>(level, { steps: 2 }, { steps: 5 });
    const { billing } = await desk({
      module: { limits: set.module },
      agent: { limits: set.agent },
    });
    const outcome = await runToEnd(billing, { model: scripted(always()), limits: set.run });
    expect([outcome.status, outcome.steps.length]).toEqual(['limited', 2]);
  });

  it('is ten by default', async () => {
    const { standard } = await desk();
    expect((await runToEnd(standard, { model: scripted(always()) })).steps).toHaveLength(10);
  });

  it('of zero gives one answer without tools', async () => {
    const model = scripted(['What I know.']);
    const { standard } = await desk({ module: { model } });
    const outcome = await streamToEnd(standard, { limits: { steps: 0 } });
    expect(outcome).toMatchObject({ status: 'limited', text: 'What I know.', steps: [] });
    expect(model.requests[0].toolChoice).toBe('none');
  });

  it('leaves the other limits of wider levels as they are', async () => {
    const { billing } = await desk({
      module: { limits: { steps: 3, toolCalls: 1 } },
      agent: { limits: { steps: 2 } },
    });
    const { steps, messages } = await runToEnd(billing, {
      model: scripted(always()),
      limits: { timeout: 10_000 },
    });
    expect(steps).toHaveLength(2);
    expect(resultsOf(messages).map(({ status }) => status)).toEqual(['success', 'error']);
  });
});

describe('the limit of tool calls', () => {
  const three = [{ tool: 'findOrder' }, { tool: 'findOrder' }, { tool: 'findOrder' }];

  it.each(LEVELS)('can be set for the %s, and wins there against all wider ones', async (level) => {
    const set = levels<AgentLimits>(level, { toolCalls: 2 }, { toolCalls: 9 });
    const { billing } = await desk({
      module: { limits: set.module },
      agent: { limits: set.agent },
    });
    const outcome = await runToEnd(billing, { model: scripted([three, 'Done.']), limits: set.run });
    expect(seen).toHaveLength(2);
    expect(resultsOf(outcome.messages).map(({ status }) => status)).toEqual([
      'success',
      'success',
      'error',
    ]);
  });

  it('counts over all steps; what is beyond it does not run, and the model is told', async () => {
    const { standard } = await desk({ module: { limits: { toolCalls: 4 } } });
    const model = scripted([three, three, three, 'Done.']);
    const { status, text, messages } = await streamToEnd(standard, { model });
    expect([status, text]).toEqual(['completed', 'Done.']);
    expect(seen).toHaveLength(4);
    expect(resultsOf(messages)).toHaveLength(9);
    expect(resultsOf(messages).at(-1)).toMatchObject({
      status: 'error',
      content: 'Not run: the limit of 4 tool calls for this run is reached.',
    });
  });

  it('counts anew in each run', async () => {
    const { standard } = await desk({ module: { limits: { toolCalls: 3 } } });
    await runToEnd(standard, { model: scripted([three, 'Done.']) });
    await runToEnd(standard, { model: scripted([three, 'Done.']) });
    expect(seen).toHaveLength(6);
  });
});

describe('the timeout of a run', () => {
  it.each(LEVELS)('can be set for the %s, and wins there against all wider ones', async (level) => {
    const set = levels<AgentLimits>(level, { timeout: 20 }, { timeout: 60_000 });
    const { billing } = await desk({
      module: { limits: set.module },
      agent: { limits: set.agent },
    });
    const outcome = await runToEnd(billing, { model: silent(), limits: set.run });
    expect(outcome).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
  });
});

describe('the usage of a run', () => {
  const usage = (inputTokens: number, more = {}) => ({
    inputTokens,
    outputTokens: 1,
    totalTokens: inputTokens + 1,
    ...more,
  });

  it('is the sum over all turns, the last one at the limit included', async () => {
    const { standard } = await desk();
    const model = () =>
      scripted([
        { calls: [{ tool: 'findOrder' }], usage: usage(10, { cacheReadTokens: 5 }) },
        { calls: [{ tool: 'findOrder' }] },
        { text: 'So far.', usage: usage(30, { cacheReadTokens: 7, reasoningTokens: 2 }) },
      ]);
    const sum = {
      inputTokens: 40,
      outputTokens: 2,
      totalTokens: 42,
      cacheReadTokens: 12,
      reasoningTokens: 2,
    };
    const limits = { steps: 2 };
    expect((await runToEnd(standard, { model: model(), limits })).usage).toEqual(sum);
    expect((await streamToEnd(standard, { model: model(), limits })).usage).toEqual(sum);
  });

  it('is known of a run that failed, too', async () => {
    const { standard } = await desk();
    const model = scripted([
      { calls: [{ tool: 'findOrder' }], usage: usage(10) },
      { error: new Error('no') },
    ]);
    const outcome = await runToEnd(standard, { model });
    expect(outcome).toMatchObject({ status: 'failed', usage: usage(10) });
  });

  it('is zero if the model tells none', async () => {
    const { standard } = await desk({ module: { model: scripted(['Hi.']) } });
    expect((await standard.run('Go.')).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
    });
  });
});

describe('the choice of tools', () => {
  const names = async (agent: AgentService, options: Parameters<AgentService['run']>[1] = {}) => {
    const model = scripted(['Done.']);
    await agent.run('Go.', { model, ...options });
    return model.requests[0].tools?.map(({ name }) => name);
  };

  it('is all of the application by default, ordered by name', async () => {
    const { standard, billing } = await desk();
    expect(await names(standard)).toEqual(['cancelOrder', 'findOrder', 'sendMail']);
    expect(await names(billing)).toEqual(['cancelOrder', 'findOrder', 'sendMail']);
  });

  it.each<[string, AgentOptions['tools'], string[]]>([
    ['a class', [OrderTools], ['cancelOrder', 'findOrder']],
    ['names', ['sendMail', 'findOrder'], ['findOrder', 'sendMail']],
    [
      'both, overlapping',
      [OrderTools, 'findOrder', 'sendMail'],
      ['cancelOrder', 'findOrder', 'sendMail'],
    ],
    ['nothing', [], []],
  ])('can be %s, for an agent and for a run', async (_kind, tools, expected) => {
    const { standard, billing } = await desk({ agent: { tools } });
    expect(await names(billing)).toEqual(expected);
    expect(await names(standard, { tools })).toEqual(expected);
  });

  it('of a run replaces that of its agent', async () => {
    const { billing } = await desk({ agent: { tools: [MailTools] } });
    expect(await names(billing, { tools: ['findOrder'] })).toEqual(['findOrder']);
  });

  it('by a base class takes the tools of its subclasses', async () => {
    const { standard } = await desk({ providers: [SpecialMailTools] });
    expect(await names(standard, { tools: [MailTools] })).toEqual(['sendMail']);
  });

  it('hides the others: a call of one is a call of an unknown tool', async () => {
    const { billing } = await desk({ agent: { tools: [MailTools] } });
    const model = scripted([{ tool: 'findOrder' }, 'Done.']);
    const { messages } = await runToEnd(billing, { model });
    expect(seen).toEqual([]);
    expect(resultsOf(messages)[0].content).toBe(
      'There is no tool "findOrder". The tools are: sendMail.',
    );
  });

  it('by a name that no tool has is an error that lists the tools: at once for a run', async () => {
    const { standard } = await desk({ module: { model: scripted([]) } });
    const message =
      /"refund".* The tools of this application are: cancelOrder, findOrder, sendMail\./;
    await expect(standard.run('Go.', { tools: ['refund'] })).rejects.toThrow(message);
    expect(() => standard.stream('Go.', { tools: ['refund'] })).toThrow(message);
  });

  it('by a name that no tool has is an error that lists the tools: at boot for an agent', async () => {
    const app = await compileDesk({ agent: { tools: ['refund'] } });
    await expect(app.init()).rejects.toThrow(/"billing".* "refund"/);
    // Nest 11 throws the same once more when such an application is closed.
    apps.pop();
  });

  it('by a class without tools is a warning at boot', async () => {
    const app = await compileDesk({
      agent: { tools: [NoTools, 'sendMail'] },
      providers: [MailTools, NoTools],
    });
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
    Logger.overrideLogger(log);
    try {
      await app.init();
    } finally {
      Logger.overrideLogger(false);
    }
    expect(log.warn.mock.calls.flat().join()).toContain(
      'Agent "billing" lists class NoTools, which has no tools.',
    );
    expect(await names(app.get(Desk).billing)).toEqual(['sendMail']);
  });
});

describe('the instructions', () => {
  async function sent({ module, agent, run }: Record<string, string | undefined>) {
    const model = scripted(['Done.']);
    const { billing } = await desk({
      module: { instructions: module },
      agent: { instructions: agent },
    });
    await billing.run('Go.', { model, instructions: run });
    return model.requests[0].messages;
  }

  it.each(LEVELS)('can be set for the %s, and win there against all wider ones', async (level) => {
    expect(await sent(levels(level, 'Be kind.', 'Be short.'))).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Go.' },
    ]);
  });

  it('are none by default, and none if they are set to nothing', async () => {
    expect(await sent({})).toEqual([{ role: 'user', content: 'Go.' }]);
    expect(await sent({ module: 'Be short.', run: '' })).toEqual([
      { role: 'user', content: 'Go.' },
    ]);
  });

  it('are not among the messages of the result', async () => {
    const { standard } = await desk({
      module: { instructions: 'Be kind.', model: scripted(['Hi.']) },
    });
    expect((await standard.run('Go.')).messages.map(({ role }) => role)).toEqual(['assistant']);
  });
});

describe('the model', () => {
  it.each(LEVELS)('can be set for the %s, and wins there against all wider ones', async (level) => {
    const set = levels(level, scripted(['near']), scripted(['far']));
    const { billing } = await desk({ module: { model: set.module }, agent: { model: set.agent } });
    expect((await billing.run('Go.', { model: set.run })).text).toBe('near');
  });

  it('that is missing is an error that says how to choose one', async () => {
    const { standard } = await desk();
    await expect(standard.run('Go.')).rejects.toThrow(
      'There is no chat model. Give one to AgentToolsModule.forRoot({ model }): openai({ model: … }) ' +
        'from "nestjs-agent-tools/openai", or offline() from "nestjs-agent-tools/offline" to try without a key.',
    );
    await expect(standard.run('Go.')).rejects.not.toBeInstanceOf(AgentRunException);
  });

  it('can be replaced in a test, by its token', async () => {
    const app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot({ model: scripted(['real']) })],
    })
      .overrideProvider(getChatModelToken())
      .useValue(scripted(['fake']))
      .compile();
    apps.push(app);
    await app.init();
    expect((await app.get(AgentService).run('Go.')).text).toBe('fake');
  });

  it('can come from an asynchronous configuration', async () => {
    const app = await Test.createTestingModule({
      imports: [
        AgentToolsModule.forRootAsync({
          useFactory: async () => Promise.resolve({ model: scripted(['async']) }),
        }),
      ],
    }).compile();
    apps.push(app);
    await app.init();
    expect((await app.get(AgentService).run('Go.')).text).toBe('async');
  });
});

describe('an agent of forFeature()', () => {
  it('is injected by its name, and its runs carry it', async () => {
    const app = await compileDesk({});
    await app.init();
    const { billing, standard } = app.get(Desk);
    expect(app.get(getAgentToken('billing'), { strict: false })).toBe(billing);
    expect(billing).toBeInstanceOf(AgentService);
    expect(billing).not.toBe(standard);
    const turns = [{ tool: 'findOrder' }, 'Done.'];
    const { events } = await readAll(billing.stream('Go.', { model: scripted(turns) }));
    expect(events[0]).toMatchObject({ type: 'run-started', agent: 'billing' });
    await standard.run('Go.', { model: scripted(turns) });
    expect(seen).toMatchObject([{ agent: 'billing' }, { agent: undefined }]);
  });
});

describe('the request and the context of a run', () => {
  it('reach the tools and nobody else', async () => {
    const request = { user: 'alice' };
    const context: object = { tenant: 'acme' };
    const model = scripted([{ tool: 'findOrder' }, 'Done.']);
    const { standard } = await desk({ module: { model } });
    const result = await standard.run('Go.', { request, context });
    expect(seen).toEqual([{ agent: undefined, request, tenant: 'acme' }]);
    expect(JSON.stringify([model.requests, result])).not.toMatch(/alice|acme/);
  });
});

describe('the log', () => {
  async function debugLines(level: boolean) {
    const { standard } = await desk();
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };
    Logger.overrideLogger(level ? log : false);
    try {
      const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
      const model = scripted([
        { calls: [{ tool: 'findOrder' }, { tool: 'sendMail' }], usage },
        { tool: 'nope' },
        'Done.',
      ]);
      const { runId } = await standard.run('Go.', { model });
      const lines = log.debug.mock.calls.map(([line]) => String(line).replace(runId, 'ID'));
      return lines.map((line) => line.replace(/\d+ ms$/, 'N ms'));
    } finally {
      Logger.overrideLogger(false);
    }
  }

  it('has one line for each step, at the debug level', async () => {
    expect(await debugLines(true)).toEqual([
      'run ID step 1: findOrder, sendMail, 3 tokens, N ms',
      'run ID step 2: nope, tokens unknown, N ms',
      'run ID step 3: no calls, tokens unknown, N ms',
    ]);
  });

  it('has one line for each tool at boot, at the debug level', async () => {
    const app = await compileDesk({});
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };
    Logger.overrideLogger(log);
    try {
      await app.init();
    } finally {
      Logger.overrideLogger(false);
    }
    expect(log.debug.mock.calls.map(([line]) => String(line).split(' →')[0])).toEqual([
      'Tool "findOrder"',
      'Tool "cancelOrder"',
      'Tool "sendMail"',
    ]);
  });

  it('has none if the application does not log', async () => {
    expect(await debugLines(false)).toEqual([]);
  });

  it('has no arguments of calls in it, which may hold secrets', async () => {
    const { standard } = await desk();
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };
    Logger.overrideLogger(log);
    try {
      const calls = [
        { tool: 'findOrder', arguments: { password: 's3cret' } },
        { tool: 'findOrder', arguments: '{"password":"s3cret' },
        { tool: 'nope', arguments: { password: 's3cret' } },
      ];
      const { messages } = await standard.run('Go.', { model: scripted([calls, 'Done.']) });
      expect(callsOf(messages)).toHaveLength(3);
    } finally {
      Logger.overrideLogger(false);
    }
    const lines = Object.values(log).flatMap(({ mock }) => mock.calls);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });
});
