/** What the runtime of tools does, each thing once, as an application uses it: values while a tool runs. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  CurrentToolCall,
  Tool,
  tool,
  ToolParam,
  ToolSignal,
  type AgentStream,
  type ChatModel,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { from } from 'rxjs';
import { leaveAt, only, readAll } from '../loop/support/events.js';
import { streaming, text } from '../loop/support/models.js';
import { aborted, idle } from '../loop/support/time.js';
import { readings, recorded, start, type Started } from './support/start.js';

async function* letters() {
  for (const letter of ['a', 'b', 'c']) yield await Promise.resolve(letter);
}

describe('a tool that gives several values', () => {
  it.each<[string, () => unknown]>([
    ['an async generator', letters],
    [
      'a generator',
      function* () {
        yield* ['a', 'b', 'c'];
      },
    ],
    ['an async iterable', () => ({ [Symbol.asyncIterator]: letters })],
    ['an Observable', () => from(letters())],
    ['a promise of one', () => Promise.resolve(letters())],
  ])('as %s: each is progress, the last is the result', async (_form, execute) => {
    const { agent } = await start({
      tools: [tool({ name: 'spell', description: 'Spells.' }, execute)],
    });
    const model = scripted([{ tool: 'spell' }, 'Done.']);
    const { events } = await readAll(agent.stream('Go.', { model }));
    expect(only(events, 'tool-progress').map(({ value }) => value)).toEqual(['a', 'b', 'c']);
    expect(only(events, 'tool-result')).toMatchObject([{ status: 'success', value: 'c' }]);
    expect(readings(model)).toEqual(['c']);
  });

  it('may return the result beside them, and may fail after some', async () => {
    async function* sum() {
      yield* letters();
      return 3;
    }
    async function* broken() {
      yield* letters();
      throw new Error('no more');
    }
    const { call } = await start({
      tools: [
        tool({ name: 'sum', description: 'Counts.' }, sum),
        tool({ name: 'broken', description: 'Breaks.' }, broken),
      ],
    });
    expect(await call('sum')).toMatchObject({ status: 'success', value: 3 });
    expect(await call('broken')).toMatchObject({ status: 'error', value: undefined });
  });

  it('is not one that returns a list: that is data', async () => {
    const list = tool({ name: 'list', description: 'Lists.' }, () => ['a', 'b']);
    const { agent } = await start({ tools: [list] });
    const { events } = await readAll(
      agent.stream('Go.', { model: scripted([{ tool: 'list' }, 'Done.']) }),
    );
    expect(only(events, 'tool-progress')).toEqual([]);
    expect(only(events, 'tool-result')).toMatchObject([{ content: '["a","b"]' }]);
  });
});

@Injectable()
class CopyTools {
  @Tool('Copies files.')
  async copy(@ToolParam('name') name: string, @CurrentToolCall() call: ToolCall) {
    for (const percent of [0, 50, 100]) {
      call.progress(`${name} ${percent}`);
      await idle();
    }
    return `${name} was copied.`;
  }
}

describe('the progress of a tool', () => {
  const copy = (name: string) => ({ id: `call_${name}`, tool: 'copy', arguments: { name } });

  it('is told to observers with its call, and never to the model', async () => {
    const { agent } = await start({ providers: [CopyTools] });
    const model = scripted([[copy('a'), copy('b')], 'Done.']);
    const { events } = await readAll(agent.stream('Go.', { model }));
    const progress = only(events, 'tool-progress');
    for (const name of ['a', 'b']) {
      const own = progress.filter(({ callId }) => callId === `call_${name}`);
      expect(own.map(({ value }) => value)).toEqual([`${name} 0`, `${name} 50`, `${name} 100`]);
    }
    expect(progress).toHaveLength(6);
    expect(readings(model)).toEqual(['a was copied.', 'b was copied.']);
    expect(JSON.stringify(model.requests)).not.toContain('a 50');
  });

  it('goes on when a listener fails, and other listeners are told', async () => {
    const started = await start({ providers: [CopyTools] });
    let failures = 0;
    started.events.subscribe(({ type }) => {
      if (type !== 'tool-progress') return;
      failures++;
      throw new Error('The dashboard is down.');
    });
    const events = recorded(started);
    const { results } = await started.step([copy('a')]);
    expect(results).toMatchObject([{ status: 'success', value: 'a was copied.' }]);
    expect(failures).toBe(3);
    expect(events.filter(({ type }) => type === 'tool-progress')).toHaveLength(3);
  });
});

@Injectable()
class EndlessTools {
  readonly log: unknown[] = [];

  @Tool('Counts for ever.')
  async *count(@ToolSignal() signal: AbortSignal) {
    try {
      for (let n = 0; ; n++) {
        yield n;
        await idle();
      }
    } finally {
      this.log.push('closed', signal.aborted);
    }
  }

  @Tool('Waits for ever.')
  async wait(@ToolSignal() signal: AbortSignal, @CurrentToolCall() call: ToolCall) {
    call.progress('waiting');
    const reason = await aborted(signal);
    this.log.push((reason as Error).name);
    throw reason;
  }
}

/** How many runs were left, as an application counts them. */
function countInterruptions(started: Started): { count: number } {
  const interruptions = { count: 0 };
  started.events.subscribe((event) => {
    if (event.type === 'run-finished' && event.status === 'aborted') interruptions.count++;
  });
  return interruptions;
}

/** Ways to leave a stream when a tool has reported something. */
const WAYS: [string, (stream: AgentStream) => Promise<unknown>][] = [
  ['a loop that is left', (stream) => leaveAt(stream, 'tool-progress')],
  [
    'a subscription that is ended',
    (stream) =>
      new Promise<void>((resolve) => {
        const subscription = stream.toObservable().subscribe(({ type }) => {
          if (type !== 'tool-progress') return;
          subscription.unsubscribe();
          resolve();
        });
      }),
  ],
  [
    'a browser that is gone',
    (stream) =>
      new Promise<void>((resolve) => {
        const subscription = stream.toSse({ include: ['progress'] }).subscribe(({ type }) => {
          if (type !== 'tool-progress') return;
          subscription.unsubscribe();
          resolve();
        });
      }),
  ],
];

describe.each(WAYS)('with %s', (_way, leave) => {
  it.each([
    ['count', ['closed', true]],
    ['wait', ['AbortError']],
  ])('a tool that runs is told to stop and cleans up: %s', async (name, log) => {
    const started = await start({ providers: [EndlessTools] });
    const events = recorded(started);
    const interruptions = countInterruptions(started);
    const stream = started.agent.stream('Go.', { model: scripted([{ tool: name }, 'Done.']) });
    await leave(stream);
    const { status, steps } = await stream.result;
    await idle();
    expect(status).toBe('aborted');
    expect(started.app.get(EndlessTools).log).toEqual(log);
    expect(steps[0].toolResults).toMatchObject([{ status: 'interrupted' }]);
    const ends = events.filter(({ type }) => /^(run|tool)-(finished|failed)$/.test(type));
    expect(ends).toMatchObject([
      { type: 'tool-failed', result: { status: 'interrupted' } },
      { type: 'run-finished', status: 'aborted' },
    ]);
    expect(interruptions.count).toBe(1);
  });
});

describe('when a consumer leaves while the model speaks', () => {
  it('the request is aborted, and the run ends once', async () => {
    let reason: unknown;
    const model: ChatModel = streaming(async function* (_request, { signal }) {
      yield text('Once upon a time');
      reason = signal && (await aborted(signal));
    });
    const started = await start({});
    const interruptions = countInterruptions(started);
    const stream = started.agent.stream('Go.', { model });
    await leaveAt(stream, 'text-delta');
    expect(await stream.result).toMatchObject({ status: 'aborted' });
    await idle();
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(interruptions.count).toBe(1);
  });
});
