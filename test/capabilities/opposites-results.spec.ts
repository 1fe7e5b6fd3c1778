/** Where systems of tools go wrong silently, and what happens here instead: results, errors, repetition. */
import { describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards } from '@nestjs/common';
import {
  AgentRunException,
  Tool,
  tool,
  ToolFailedException,
  ToolParam,
  ToolRetryException,
  ToolSignal,
  type RuntimeEvent,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { from, of } from 'rxjs';
import { aborted, sleep } from '../loop/support/time.js';
import { readings, recorded, start } from './support/start.js';

const work = (execute: () => unknown) => tool({ name: 'work', description: 'Works.' }, execute);

async function readingOf(execute: () => unknown, errors: 'id' | 'message' = 'id') {
  const { step } = await start({
    tools: [work(execute)],
    module: { toolDefaults: { errors } },
  });
  const { results, model, result } = await step([{ tool: 'work' }]);
  expect(result.status).toBe('completed');
  return { reading: readings(model)[0], status: results[0].status };
}

describe('what the model reads', () => {
  it.each<[string, () => unknown]>([
    ['returned', () => 'Sunny, 21 °C'],
    ['promised', () => Promise.resolve('Sunny, 21 °C')],
    ['returned as something unknown', (): unknown => JSON.parse('"Sunny, 21 °C"')],
    ['the last of an Observable', () => of('Rain', 'Sunny, 21 °C')],
    [
      'the last of a generator',
      function* () {
        yield 'Rain';
        yield 'Sunny, 21 °C';
      },
    ],
    ['the last of a promised Observable', () => Promise.resolve(from(['Rain', 'Sunny, 21 °C']))],
  ])('of a text is the text without quotes: %s', async (_how, execute) => {
    expect(await readingOf(execute)).toEqual({ reading: 'Sunny, 21 °C', status: 'success' });
  });

  it.each<[string, () => unknown]>([
    ['returns nothing', () => undefined],
    ['promises nothing', async () => Promise.resolve()],
    ['yields nothing', function* () {}],
  ])('of a method that %s is a success, not "null"', async (_how, execute) => {
    expect(await readingOf(execute)).toEqual({ reading: 'Success', status: 'success' });
  });

  it('of null is null, as that may be the answer', async () => {
    expect(await readingOf(() => null)).toEqual({ reading: 'null', status: 'success' });
  });
});

const nameless = Object.assign(new Error('x'), { message: null });

const WITHOUT_TEXT: [string, unknown][] = [
  ['an error without a message', new Error()],
  ['an error whose message is null', nameless],
  ['a failure without a message', new ToolFailedException('')],
  ['a correction without a message', new ToolRetryException('')],
  ['null', null],
  ['undefined', undefined],
  ['an empty text', ''],
  ['an object', {}],
];

describe.each(['id', 'message'] as const)('an error without a text, told by its %s,', (errors) => {
  it.each(WITHOUT_TEXT)('is an error with a text all the same: %s', async (_what, error) => {
    for (const execute of [
      () => {
        throw error;
      },
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- applications do
      () => Promise.reject(error),
    ]) {
      const { reading, status } = await readingOf(execute, errors);
      expect(status).toBe('error');
      expect(typeof reading).toBe('string');
      expect((reading as string).trim()).not.toBe('');
      expect(reading).not.toBe('Success');
    }
  });
});

type Retried = Extract<RuntimeEvent, { type: 'tool-retried' }>;

/** An application with a tool that fails always, and the events of its repetitions. */
async function startFailing(fail: () => unknown) {
  let runs = 0;
  const failing = tool(
    { name: 'look', description: 'Looks.', effect: 'read', retry: { times: 3, delay: 4 } },
    () => {
      runs++;
      return fail();
    },
  );
  const started = await start({ tools: [failing] });
  const events = recorded(started);
  const { status } = await started.call('look');
  const retried = events.filter((event): event is Retried => event.type === 'tool-retried');
  return { runs, status, retried };
}

describe('a call is repeated', () => {
  const busy = new Error('busy');

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw busy;
      },
    ],
    ['rejects', () => Promise.reject(busy)],
    [
      'fails in the middle of its values',
      async function* () {
        yield await Promise.resolve(1);
        throw busy;
      },
    ],
  ])('when its method %s, not only when it takes too long', async (_how, fail) => {
    const { runs, status, retried } = await startFailing(fail);
    expect(runs).toBe(4);
    expect(status).toBe('error');
    expect(retried.map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, busy],
      [2, busy],
      [3, busy],
    ]);
  });

  it('after waits that grow', async () => {
    const { retried } = await startFailing(() => Promise.reject(busy));
    const [first, second, third] = retried.map(({ delay }) => delay);
    for (const [delay, most] of [
      [first, 4],
      [second, 8],
      [third, 16],
    ]) {
      expect(delay).toBeGreaterThanOrEqual(most / 2);
      expect(delay).toBeLessThanOrEqual(most);
    }
  });
});

@Injectable()
class SlowTools {
  runs = 0;
  ended = 0;

  @Tool({ description: 'Takes too long.', effect: 'read', retry: 3, timeout: 10 })
  async slow(@ToolSignal() signal: AbortSignal) {
    this.runs++;
    await aborted(signal);
    this.ended++;
    throw signal.reason;
  }
}

describe('an attempt that takes too long', () => {
  it('is told to stop, and no other one begins beside it', async () => {
    const started = await start({ providers: [SlowTools] });
    const events = recorded(started);
    const { status, content } = await started.call('slow');
    await sleep(5);
    const { runs, ended } = started.app.get(SlowTools);
    expect([status, content]).toEqual(['error', '"slow" timed out after 10 ms.']);
    expect([runs, ended]).toEqual([1, 1]);
    expect(events.filter(({ type }) => type === 'tool-failed')).toHaveLength(1);
  });
});

const named = (name: string) => tool({ name, description: `Does ${name}.` }, () => `${name} done`);

describe('an invented tool', () => {
  it.each([0, 1, 2])('does not drop the calls beside it: at %i', async (place) => {
    const { step } = await start({ tools: [named('one'), named('two')] });
    const names = ['one', 'two'].toSpliced(place, 0, 'three');
    const { model, result } = await step(names.map((name) => ({ tool: name })));
    expect(readings(model)).toEqual(
      names.map((name) =>
        name === 'three' ? 'There is no tool "three". The tools are: one, two.' : `${name} done`,
      ),
    );
    expect(result.status).toBe('completed');
  });
});

@Injectable()
class SecretTools {
  runs = 0;

  @Tool('Tells a secret.')
  tell(@ToolParam('n') n: number) {
    this.runs++;
    return n;
  }
}

describe('the tools of a run', () => {
  it('are its own, whatever another run at the same time may call', async () => {
    const { app, step } = await start({ providers: [SecretTools], tools: [named('one')] });
    const calls = [{ tool: 'one' }, { tool: 'tell', arguments: { n: 1 } }];
    const [narrow, wide, none] = await Promise.all([
      step(calls, { tools: ['one'] }),
      step(calls),
      step(calls, { tools: [] }),
    ]);
    expect(readings(wide.model)).toEqual(['one done', '1']);
    expect(readings(narrow.model)).toEqual([
      'one done',
      'There is no tool "tell". The tools are: one.',
    ]);
    expect(readings(none.model)).toEqual([
      'There is no tool "one". There are no tools.',
      'There is no tool "tell". There are no tools.',
    ]);
    expect(app.get(SecretTools).runs).toBe(1);
    const listed = [narrow, wide, none].map(({ model }) =>
      model.requests.map(({ tools = [] }) => tools.map(({ name }) => name)),
    );
    expect(listed).toEqual([
      [['one'], ['one']],
      [
        ['one', 'tell'],
        ['one', 'tell'],
      ],
      [[], []],
    ]);
  });
});

@Injectable()
@UseGuards({ canActivate: () => false })
class ClosedTools {
  runs = 0;

  @Tool('Never runs.')
  enter() {
    this.runs++;
  }
}

describe('a run whose calls are all denied', () => {
  it('ends at the limit for failed rounds, without running a method', async () => {
    const { agent, app } = await start({ providers: [ClosedTools] });
    const model = scripted([{ tool: 'enter' }, { tool: 'enter' }, 'Not asked.']);
    const failure: unknown = await agent
      .run('Go.', { model, limits: { failedSteps: 2 } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentRunException);
    const { steps } = (failure as AgentRunException).partial;
    expect(steps.flatMap(({ toolResults }) => toolResults)).toMatchObject([
      { status: 'denied' },
      { status: 'denied' },
    ]);
    expect(model.requests).toHaveLength(2);
    expect(app.get(ClosedTools).runs).toBe(0);
  });
});
