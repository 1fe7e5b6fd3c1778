import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { EventEmitter } from 'node:events';
import { AgentEvents, type RuntimeEvent, type ToolRuntimeEvent } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { record, start, typesOf } from './support/record.js';
import { OrderTools, ran } from './support/tools.js';

const ORDER = { orderNo: 'A-1' };
const CALL = [
  'tool-arguments-received',
  'tool-arguments-read',
  'tool-started',
  'tool-authorized',
  'tool-input',
  'tool-output',
  'tool-finished',
];

afterEach(() => {
  jest.restoreAllMocks();
});

function startWith(
  options: Parameters<typeof EventEmitterModule.forRoot>[0] = {},
  more: object[] = [],
) {
  const imports = [EventEmitterModule.forRoot(options)];
  const model = scripted([{ tool: 'find', arguments: ORDER }, 'Shipped.']);
  return start([OrderTools, ...(more as never[])], { model }, imports);
}

describe('when a provider listens with @OnEvent()', () => {
  it('is given the events of that name, as they are', async () => {
    @Injectable()
    class Audit {
      readonly heard: RuntimeEvent[] = [];

      @OnEvent('agent.tool-failed')
      @OnEvent('agent.run-finished')
      onEvent(event: RuntimeEvent) {
        this.heard.push(event);
      }
    }
    const { app, agent, source } = await startWith({}, [Audit]);
    const all: RuntimeEvent[] = [];
    source.subscribe((event) => all.push(event));
    await agent.run('Where is A-1?');
    await callTool(app, 'refund', {});
    const { heard } = app.get(Audit);
    expect(typesOf(heard)).toEqual(['run-finished', 'tool-failed']);
    for (const event of heard) expect(all).toContain(event);
    expect((heard[1] as Extract<ToolRuntimeEvent, { type: 'tool-failed' }>).result.status).toBe(
      'denied',
    );
  });

  it('is given the events though nobody else observes', async () => {
    @Injectable()
    class Audit {
      count = 0;

      @OnEvent('agent.tool-finished')
      onFinished() {
        this.count++;
      }
    }
    const { app } = await startWith({}, [Audit]);
    await callTool(app, 'find', ORDER);
    expect(app.get(Audit).count).toBe(1);
  });

  it.each(['agent.*', 'agent.**', '**', '*.*'])(
    'for "%s" with wildcards, is given all of them in order',
    async (pattern) => {
      @Injectable()
      class Audit {
        readonly heard: RuntimeEvent[] = [];

        @OnEvent(pattern)
        onEvent(event: RuntimeEvent) {
          this.heard.push(event);
        }
      }
      const { app, agent } = await startWith({ wildcard: true }, [Audit]);
      await callTool(app, 'find', ORDER);
      await agent.run('Where is A-1?');
      expect(typesOf(app.get(Audit).heard)).toEqual([
        ...CALL,
        'run-started',
        'step-started',
        ...CALL,
        'step-finished',
        'step-started',
        'step-finished',
        'run-finished',
      ]);
    },
  );

  it('finds the names parted by the delimiter that the application has chosen', async () => {
    @Injectable()
    class Audit {
      readonly heard: string[] = [];

      @OnEvent('agent::*')
      onEvent({ type }: RuntimeEvent) {
        this.heard.push(type);
      }
    }
    const { app } = await startWith({ wildcard: true, delimiter: '::' }, [Audit]);
    await callTool(app, 'find', ORDER);
    expect(app.get(Audit).heard).toEqual(CALL);
  });
});

describe('when a listener is added to the emitter itself', () => {
  it('is told from then on, and once() once', async () => {
    const { app } = await startWith();
    const emitter = app.get(EventEmitter2);
    await callTool(app, 'find', ORDER);
    let all = 0;
    let first = 0;
    emitter.on('agent.tool-finished', () => all++);
    emitter.once('agent.tool-finished', () => first++);
    await callTool(app, 'find', ORDER);
    await callTool(app, 'find', ORDER);
    expect({ all, first }).toEqual({ all: 2, first: 1 });
    expect(emitter.listenerCount('agent.tool-finished')).toBe(1);
  });

  it.each([{ wildcard: false }, { wildcard: true }])(
    'by onAny(), it is told every name and event (%p)',
    async (options) => {
      const { app } = await startWith(options);
      const heard: unknown[][] = [];
      app.get(EventEmitter2).onAny((name, event: RuntimeEvent) => heard.push([name, event.type]));
      await callTool(app, 'find', ORDER);
      expect(heard).toEqual(CALL.map((type) => [`agent.${type}`, type]));
    },
  );

  it('finds the name of the event at its `this`', async () => {
    const { app } = await startWith({ wildcard: true });
    const names: unknown[] = [];
    app.get(EventEmitter2).on('agent.*', function (this: EventEmitter2) {
      names.push((this as unknown as { event: unknown }).event);
    });
    await callTool(app, 'find', ORDER);
    expect(names).toEqual(CALL.map((type) => `agent.${type}`));
  });
});

describe('when no listener wants an event of agents', () => {
  it.each([{ wildcard: false }, { wildcard: true }])('builds none (%p)', async (options) => {
    const emit = jest.spyOn(AgentEvents.prototype, 'emit');
    const { app, agent } = await startWith(options);
    const emitter = app.get(EventEmitter2);
    emitter.on('order.created', () => undefined);
    const listener = () => undefined;
    emitter.on('agent.tool-failed', listener);
    emitter.off('agent.tool-failed', listener);
    await callTool(app, 'find', ORDER);
    await agent.run('Where is A-1?');
    expect(emit).not.toHaveBeenCalled();
    emitter.on('agent.tool-failed', listener);
    await callTool(app, 'find', ORDER);
    expect(emit).toHaveBeenCalledTimes(CALL.length);
  });

  it('builds none without EventEmitterModule', async () => {
    const emit = jest.spyOn(AgentEvents.prototype, 'emit');
    const { app } = await start([OrderTools]);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    expect(emit).not.toHaveBeenCalled();
  });
});

describe('when a listener fails', () => {
  const failing: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk'))],
  ];

  it.each(failing)('because it %s, the call and the other listeners go on', async (_how, fail) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    ran.length = 0;
    const { app } = await startWith();
    const emitter = app.get(EventEmitter2);
    const heard: string[] = [];
    emitter.on('agent.tool-finished', fail);
    emitter.on('agent.tool-finished', fail);
    emitter.on('agent.tool-finished', () => heard.push('named'));
    emitter.onAny((name) => name === 'agent.tool-finished' && heard.push('any'));
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran).toEqual(['find']);
    expect(heard).toEqual(['any', 'named']);
    expect(logged.mock.calls.map(([message]) => String(message))).toEqual(
      Array(2).fill('A listener of "agent.tool-finished" failed: no disk'),
    );
  });

  it.each(failing)('though @OnEvent() does not suppress that it %s', async (_how, fail) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    @Injectable()
    class Broken {
      @OnEvent('agent.tool-finished', { suppressErrors: false })
      onFinished() {
        return fail();
      }
    }
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    const { app } = await startWith({}, [Broken]);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('does not keep the others waiting', async () => {
    const { app } = await startWith();
    const emitter = app.get(EventEmitter2);
    const pending: () => unknown = () => new Promise(() => undefined);
    emitter.on('agent.tool-started', pending);
    let count = 0;
    emitter.on('agent.tool-started', () => count++);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    expect(count).toBe(1);
  });
});

describe('when the emitter is not the one of the package', () => {
  it('lets an EventEmitter of Node.js alone', async () => {
    const emitter = new EventEmitter();
    let count = 0;
    emitter.on('agent.tool-finished', () => count++);
    const { app } = await record([OrderTools, { provide: EventEmitter, useValue: emitter }]);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    expect(count).toBe(0);
  });

  it.each<[string, unknown]>([
    ['an object with nothing but emit()', { emit: () => true }],
    ['nothing', undefined],
  ])('lets %s in its place alone', async (_what, double) => {
    const { app } = await record([OrderTools, { provide: EventEmitter2, useValue: double }]);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
  });

  it('tells the emitter once that has a second token', async () => {
    const alias = { provide: 'Emitter', useExisting: EventEmitter2 };
    const { app } = await startWith({}, [alias]);
    let count = 0;
    app.get(EventEmitter2).on('agent.tool-finished', () => count++);
    await callTool(app, 'find', ORDER);
    expect(count).toBe(1);
  });
});
