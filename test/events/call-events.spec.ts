import { beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { only, record, typesOf } from './support/record.js';
import { OrderTools, ran } from './support/tools.js';

const BEGUN = ['tool-arguments-received', 'tool-arguments-read', 'tool-started'];
const RUNNING = [...BEGUN, 'tool-authorized', 'tool-input'];

beforeEach(() => {
  ran.length = 0;
});

async function eventsOf(name: string, args: unknown = {}) {
  const { app, events } = await record([OrderTools]);
  const result = await callTool(app, name, args);
  return { events, types: typesOf(events), result };
}

describe('when a call is made', () => {
  it('tells what happens to it, in order', async () => {
    const { types } = await eventsOf('find', { orderNo: 'A-1' });
    expect(types).toEqual([...RUNNING, 'tool-output', 'tool-finished']);
  });

  it('says what came, what was read, what the method got and what it gave', async () => {
    const { events, result } = await eventsOf('count', '{"items": "3",}');
    const [received] = only(events, 'tool-arguments-received');
    const [read] = only(events, 'tool-arguments-read');
    expect(received.arguments).toBe('{"items": "3",}');
    expect(read.input).toEqual({ items: 3 });
    expect(read.repairs.length).toBeGreaterThan(0);
    expect(only(events, 'tool-started')[0].attempt).toBe(1);
    expect(only(events, 'tool-input')[0].input).toEqual({ items: 3 });
    expect(only(events, 'tool-output')[0].value).toBe(3);
    expect(only(events, 'tool-finished')[0].result).toBe(result);
    expect(result.status).toBe('success');
  });

  it('says that nothing was repaired when nothing was', async () => {
    const { events } = await eventsOf('find', { orderNo: 'A-1' });
    expect(only(events, 'tool-arguments-read')[0].repairs).toEqual([]);
  });

  it('reports what the tool reports', async () => {
    const { types, events } = await eventsOf('pack');
    expect(types).toEqual([
      ...RUNNING,
      'tool-progress',
      'tool-progress',
      'tool-output',
      'tool-finished',
    ]);
    expect(only(events, 'tool-progress').map(({ value }) => value)).toEqual([
      { packed: 1 },
      { packed: 2 },
    ]);
  });

  it('tells where a sequence begins, its values, and where it ends', async () => {
    const { types, events } = await eventsOf('list');
    expect(types).toEqual([
      ...RUNNING,
      'tool-stream-started',
      'tool-progress',
      'tool-progress',
      'tool-stream-ended',
      'tool-output',
      'tool-finished',
    ]);
    expect(only(events, 'tool-progress').map(({ value }) => value)).toEqual(['A-1', 'A-2']);
    expect(only(events, 'tool-output')[0].value).toBe('two orders');
  });

  it('begins and ends each sequence once, an Observable too', async () => {
    const { types } = await eventsOf('observe');
    const times = (type: string) => types.filter((one) => one === type).length;
    expect([times('tool-stream-started'), times('tool-stream-ended')]).toEqual([1, 1]);
    expect(types.indexOf('tool-stream-ended')).toBeLessThan(types.indexOf('tool-output'));
  });
});

describe('when a call cannot be run', () => {
  it.each<[string, string, unknown]>([
    ['its arguments are no JSON', 'find', 'certainly!'],
    ['its arguments are no object', 'find', [1]],
    ['there is no such tool', 'search', {}],
  ])('because %s, tells that it came and failed, and no more', async (_why, name, args) => {
    const { types, events, result } = await eventsOf(name, args);
    expect(types).toEqual(['tool-arguments-received', 'tool-failed']);
    expect(only(events, 'tool-arguments-received')[0]).toMatchObject({ name, arguments: args });
    expect(only(events, 'tool-failed')[0].result).toBe(result);
    expect(result.status).toBe('error');
    expect(ran).toEqual([]);
  });
});

describe('when a call does not succeed', () => {
  it('denied by a guard, was never authorized', async () => {
    const { types, result } = await eventsOf('refund');
    expect(types).toEqual([...BEGUN, 'tool-failed']);
    expect(result.status).toBe('denied');
    expect(ran).toEqual([]);
  });

  it('not approved, was never authorized', async () => {
    const { types, result } = await eventsOf('cancel');
    expect(types).toEqual([...BEGUN, 'tool-failed']);
    expect(result.status).toBe('denied');
    expect(ran).toEqual([]);
  });

  it('with arguments that do not fit, has no input', async () => {
    const { types } = await eventsOf('count', { items: 'many' });
    expect(types).toEqual([...BEGUN, 'tool-authorized', 'tool-failed']);
    expect(ran).toEqual([]);
  });

  it.each(['fail', 'refuse', 'crash'])('by an exception of "%s", has no output', async (name) => {
    const { types, events, result } = await eventsOf(name);
    expect(types).toEqual([...RUNNING, 'tool-failed']);
    expect(only(events, 'tool-failed')[0].result.error).toBeInstanceOf(Error);
    expect(result.status).toBe('error');
  });

  it('by its timeout, fails once', async () => {
    const { types, events } = await eventsOf('wait');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(types).toEqual([...RUNNING, 'tool-failed']);
    expect(only(events, 'tool-failed')[0].result.content).toContain('timed out');
  });
});

describe('when a call is repeated', () => {
  it('tells why between the attempts', async () => {
    const { types, events } = await eventsOf('ask');
    expect(types).toEqual([
      ...RUNNING,
      'tool-retried',
      'tool-started',
      'tool-authorized',
      'tool-input',
      'tool-output',
      'tool-finished',
    ]);
    const [retried] = only(events, 'tool-retried');
    expect(retried.attempt).toBe(1);
    expect(retried.error).toEqual(new Error('The line is busy.'));
    expect(retried.delay).toBeGreaterThanOrEqual(0);
    expect(only(events, 'tool-started').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(ran).toEqual(['ask', 'ask']);
  });
});

describe('each event of a call', () => {
  it('says of which run, step, call and tool it is', async () => {
    const model = scripted([
      { tool: 'find', id: 'c-7', arguments: { orderNo: 'A-1' } },
      'Shipped.',
    ]);
    const { agent, events } = await record([OrderTools], { model });
    const { runId } = await agent.run('Where is A-1?');
    const ofCall = events.filter(({ type }) => type.startsWith('tool-'));
    expect(ofCall).toHaveLength(7);
    for (const event of ofCall) {
      expect(event).toMatchObject({ runId, step: 1, callId: 'c-7', name: 'find' });
      expect(event.agent).toBeUndefined();
      expect(event.traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('has step 0 and a run of its own without an agent', async () => {
    const { app, events } = await record([OrderTools]);
    await callTool(app, 'find', { orderNo: 'A-1' });
    await callTool(app, 'find', { orderNo: 'A-2' });
    expect(new Set(events.map(({ step }) => step))).toEqual(new Set([0]));
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(2);
    expect(new Set(events.map(({ traceId }) => traceId)).size).toBe(2);
  });

  it('belongs to one of two calls that run side by side', async () => {
    const calls = ['a', 'b'].map((id) => ({ tool: 'list', id }));
    const { agent, events } = await record([OrderTools], { model: scripted([calls, 'Done.']) });
    await agent.run('List everything, twice.');
    for (const id of ['a', 'b']) {
      const own = events.filter((event) => 'callId' in event && event.callId === id);
      expect(typesOf(own)).toEqual([
        ...RUNNING,
        'tool-stream-started',
        'tool-progress',
        'tool-progress',
        'tool-stream-ended',
        'tool-output',
        'tool-finished',
      ]);
    }
    const starts = events.flatMap(({ type }, at) => (type === 'tool-started' ? [at] : []));
    expect(starts[1]).toBeLessThan(typesOf(events).indexOf('tool-finished'));
  });
});
