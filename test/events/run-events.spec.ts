import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  AgentRunException,
  AgentService,
  AgentToolsModule,
  getAgentToken,
  InjectAgent,
  Tool,
  type AgentRunOptions,
  type AgentToolsModuleOptions,
  type RuntimeEvent,
  type Usage,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { only, record, start, typesOf } from './support/record.js';
import { OrderTools } from './support/tools.js';

const usage = (tokens: number): Usage => ({
  inputTokens: tokens,
  outputTokens: 1,
  totalTokens: tokens + 1,
});

const WAYS = {
  run: async (agent: AgentService, options?: AgentRunOptions) => agent.run('Go.', options),
  stream: async (agent: AgentService, options?: AgentRunOptions) =>
    agent.stream('Go.', options).result,
};
const BOTH = Object.keys(WAYS) as (keyof typeof WAYS)[];

function runEvents(events: readonly RuntimeEvent[]): RuntimeEvent[] {
  return events.filter(({ type }) => !type.startsWith('tool-'));
}

const find = { tool: 'find', arguments: { orderNo: 'A-1' } };

describe.each(BOTH)('when an agent is asked by %s()', (way) => {
  const ask = WAYS[way];

  async function recordRun(options: AgentToolsModuleOptions, ofRun?: AgentRunOptions) {
    const recorded = await record([OrderTools], options);
    const outcome = await ask(recorded.agent, ofRun).catch((error: unknown) => error);
    return { ...recorded, outcome };
  }

  it('tells where the run and its steps begin and end', async () => {
    const { events } = await recordRun({ model: scripted([find, 'Shipped.']) });
    const types = typesOf(events);
    expect(typesOf(runEvents(events))).toEqual([
      'run-started',
      'step-started',
      'step-finished',
      'step-started',
      'step-finished',
      'run-finished',
    ]);
    expect(types.indexOf('tool-arguments-received')).toBeGreaterThan(types.indexOf('step-started'));
    expect(types.indexOf('tool-finished')).toBeLessThan(types.indexOf('step-finished'));
  });

  it('says of which run and step each is', async () => {
    const { events, outcome } = await recordRun({ model: scripted([find, 'Shipped.']) });
    const { runId } = outcome as { runId: string };
    expect(new Set(events.map((event) => event.runId))).toEqual(new Set([runId]));
    expect(new Set(events.map(({ traceId }) => traceId)).size).toBe(1);
    expect(events[0].traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(only(events, 'run-started')[0].step).toBe(0);
    expect(only(events, 'step-started').map(({ step }) => step)).toEqual([1, 2]);
    expect(only(events, 'step-finished').map(({ step }) => step)).toEqual([1, 2]);
  });

  it('says what steps and the run have used, and how long they took', async () => {
    const { events } = await recordRun({
      model: scripted([
        { calls: [find], usage: usage(10) },
        { text: 'Shipped.', usage: usage(20) },
      ]),
    });
    const steps = only(events, 'step-finished');
    expect(steps.map((step) => step.usage)).toEqual([usage(10), usage(20)]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    const [finished] = only(events, 'run-finished');
    expect(finished.status).toBe('completed');
    expect(finished.usage).toMatchObject({ inputTokens: 30, outputTokens: 2, totalTokens: 32 });
    for (const { duration } of [...steps, finished]) expect(duration).toBeGreaterThan(0);
    expect(finished.duration).toBeGreaterThanOrEqual(steps[0].duration);
  });

  it('tells of a model that fails, with what was used until then', async () => {
    const cause = new Error('overloaded');
    const { events, outcome } = await recordRun({
      model: scripted([{ calls: [find], usage: usage(10) }, { error: cause }]),
    });
    expect(outcome).toBeInstanceOf(AgentRunException);
    expect(typesOf(runEvents(events))).toEqual([
      'run-started',
      'step-started',
      'step-finished',
      'step-started',
      'run-failed',
    ]);
    const [failed] = only(events, 'run-failed');
    expect(failed.error).toBe(outcome);
    expect(failed.usage.totalTokens).toBe(11);
    expect(failed.step).toBe(2);
  });

  it('tells that a run was aborted', async () => {
    const controller = new AbortController();
    const { events, outcome } = await recordRun(
      {
        model: scripted([
          () => {
            controller.abort();
            return find;
          },
        ]),
      },
      { signal: controller.signal },
    );
    expect(outcome).toMatchObject({ status: 'aborted' });
    expect(only(events, 'run-finished').map(({ status }) => status)).toEqual(['aborted']);
    expect(events.at(-1)?.type).toBe('run-finished');
    expect(only(events, 'run-failed')).toEqual([]);
  });

  it('begins and ends a run that is aborted before it begins', async () => {
    const { events } = await recordRun({ model: scripted([]) }, { signal: AbortSignal.abort() });
    expect(typesOf(events)).toEqual(['run-started', 'run-finished']);
    expect(only(events, 'run-finished')[0].status).toBe('aborted');
  });

  it('tells that a run was limited', async () => {
    const { events } = await recordRun({
      model: scripted([find, 'I stop here.']),
      limits: { steps: 1 },
    });
    expect(only(events, 'run-finished').map(({ status }) => status)).toEqual(['limited']);
  });

  it('ends the calls of an aborted run before the run', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const { events } = await recordRun(
      { model: scripted([{ tool: 'wait' }]) },
      { signal: controller.signal },
    );
    const types = typesOf(events);
    expect(only(events, 'tool-failed').map(({ result }) => result.status)).toEqual(['interrupted']);
    expect(types.indexOf('tool-failed')).toBeLessThan(types.indexOf('run-finished'));
  });
});

describe('when the consumer of a stream leaves early', () => {
  it('tells that the run was aborted', async () => {
    const { agent, events } = await record([OrderTools], { model: scripted([find, 'Shipped.']) });
    for await (const event of agent.stream('Go.')) if (event.type === 'tool-result') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(only(events, 'run-finished').map(({ status }) => status)).toEqual(['aborted']);
    expect(events.at(-1)?.type).toBe('run-finished');
  });
});

describe('when a tool asks another agent', () => {
  @Injectable()
  class Desk {
    constructor(@InjectAgent('clerk') private readonly clerk: AgentService) {}

    @Tool('Ask a clerk.')
    async delegate() {
      const { text } = await this.clerk.run('Where is A-1?', {
        model: scripted([find, 'It was shipped.']),
      });
      return text;
    }
  }

  @Module({
    imports: [AgentToolsModule.forFeature({ agents: [{ name: 'clerk', tools: ['find'] }] })],
    providers: [Desk, OrderTools],
  })
  class DeskModule {}

  it('tells of the inner run between the start and the end of the outer call', async () => {
    const model = scripted([{ tool: 'delegate' }, 'It was.']);
    const { agent, events } = await record([], { model }, [DeskModule]);
    const { runId } = await agent.run('Go.', { tools: [Desk] });
    const inner = events.filter((event) => event.runId !== runId);
    const outer = events.filter((event) => event.runId === runId);
    expect(typesOf(inner)).toEqual([
      'run-started',
      'step-started',
      'tool-arguments-received',
      'tool-arguments-read',
      'tool-started',
      'tool-authorized',
      'tool-input',
      'tool-output',
      'tool-finished',
      'step-finished',
      'step-started',
      'step-finished',
      'run-finished',
    ]);
    expect(new Set(inner.map((event) => event.agent))).toEqual(new Set(['clerk']));
    expect(new Set(outer.map((event) => event.agent))).toEqual(new Set([undefined]));
    const types = events.map((event) => `${event.agent ?? 'outer'} ${event.type}`);
    expect(types.indexOf('clerk run-started')).toBeGreaterThan(types.indexOf('outer tool-input'));
    expect(types.indexOf('clerk run-finished')).toBeLessThan(types.indexOf('outer tool-output'));
  });

  it('gives both runs their own events when they are told apart by agent', async () => {
    const { app, source } = await start([], { model: scripted([]) }, [DeskModule]);
    const agents: (string | undefined)[] = [];
    source.subscribe(({ type, agent }) => type === 'run-started' && agents.push(agent));
    const clerk = app.get<AgentService>(getAgentToken('clerk'), { strict: false });
    await clerk.run('Hello.', { model: scripted(['Hello.']) });
    await app.get(AgentService).run('Hello.', { model: scripted(['Hello.']) });
    expect(agents).toEqual(['clerk', undefined]);
  });
});

describe('when tokens are summed over the runs of an application', () => {
  it('counts each run once, failed ones too', async () => {
    const { agent, source } = await start([OrderTools]);
    let tokens = 0;
    source.subscribe((event) => {
      if (event.type === 'run-finished' || event.type === 'run-failed') {
        tokens += event.usage.totalTokens;
      }
    });
    const answer = { text: 'Hello.', usage: usage(9) };
    await agent.run('One.', { model: scripted([answer]) });
    await agent.run('Two.', { model: scripted([{ calls: [find], usage: usage(19) }, answer]) });
    await agent
      .run('Three.', { model: scripted([{ calls: [find], usage: usage(4) }, { error: 'x' }]) })
      .catch(() => undefined);
    expect(tokens).toBe(10 + 30 + 5);
  });
});
