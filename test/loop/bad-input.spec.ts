/** Whatever a model, a tool or a consumer does: one designed outcome, and nothing left behind. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam, type ChatModel } from 'nestjs-agent-tools';
import { scripted, type ScriptedCall, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { leaveAt, readAll } from './support/events.js';
import { call, callsOf, expectSendable, resultsOf } from './support/messages.js';
import { generating, STOP, streaming, text } from './support/models.js';
import { runToEnd, streamToEnd, type Outcome } from './support/outcome.js';
import { idle, sleep } from './support/time.js';

const behaviour: { run: () => unknown } = { run: () => undefined };
const runs: unknown[] = [];

@Injectable()
class Tools {
  @Tool({ description: 'Does what the test wants.', timeout: 50 })
  behave() {
    runs.push('behave');
    return behaviour.run();
  }

  @Tool('Has optional arguments only, on which a guess would run it.')
  optional(@ToolParam('note', { schema: { type: 'string' }, required: false }) note?: string) {
    runs.push(note);
    return 'ran';
  }
}

/** The script played with `run()` and with `stream()`, each to its end. */
async function play(script: () => ChatModel): Promise<[string, Outcome][]> {
  runs.length = 0;
  const { agent } = await startAgent([Tools]);
  return [
    ['run()', await runToEnd(agent, { model: script() })],
    ['stream()', await streamToEnd(agent, { model: script() })],
  ];
}

const playTurns = (...turns: ScriptedTurn[]) => play(() => scripted(turns));

describe('a call whose arguments', () => {
  it.each<[string, unknown]>([
    ['are cut off', '{"note": "Par'],
    ['are no JSON', 'not json'],
    ['are followed by more', '{} {}'],
    ['are a list', '[1,2]'],
    ['are a number', '7'],
    ['are a text', '"hi"'],
    ['are true', 'true'],
  ])('%s does not run and gets an error result', async (_kind, args) => {
    const outcomes = await playTurns({ tool: 'optional', arguments: args }, 'Done.');
    expect(runs).toEqual([]);
    for (const [, { status, messages, text: answer }] of outcomes) {
      expect([status, answer]).toEqual(['completed', 'Done.']);
      expect(resultsOf(messages)).toMatchObject([{ status: 'error', name: 'optional' }]);
      expect(resultsOf(messages)[0].content).toContain('call the tool again');
      expect(JSON.parse(callsOf(messages)[0].arguments)).toEqual({ INVALID_JSON: args });
    }
  });

  it.each<[string, unknown]>([
    ['are empty', ''],
    ['are blank', ' \n'],
    ['are the text null', 'null'],
    ['are an empty object', '{}'],
  ])('%s is a call without arguments', async (_kind, args) => {
    const outcomes = await playTurns({ tool: 'optional', arguments: args }, 'Done.');
    expect(runs).toEqual([undefined, undefined]);
    for (const [, { messages }] of outcomes) {
      expect(resultsOf(messages)).toMatchObject([{ status: 'success', content: 'ran' }]);
      expect(callsOf(messages)[0].arguments).toBe('{}');
    }
  });

  it.each<[string, unknown, unknown]>([
    ['null', null, undefined],
    ['undefined', undefined, undefined],
    ['an object', { note: 'hi' }, 'hi'],
  ])(
    'are no text but %s, as a model of one’s own may give them, runs all the same',
    async (_kind, args, note) => {
      const model = generating(({ messages }) =>
        Promise.resolve(
          messages.length === 1
            ? {
                content: [{ ...call('c1', 'optional'), arguments: args as string }],
                finishReason: 'tool-calls',
              }
            : { content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' },
        ),
      );
      runs.length = 0;
      const { agent } = await startAgent([Tools], { model });
      const { messages } = await runToEnd(agent);
      expect(runs).toEqual([note]);
      expect(JSON.parse(callsOf(messages)[0].arguments)).toEqual(args ?? {});
    },
  );

  it('name __proto__ changes no object', async () => {
    await playTurns(
      { tool: 'optional', arguments: '{"__proto__":{"polluted":1},"note":"x"}' },
      'Done.',
    );
    expect(runs).toEqual(['x', 'x']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a call of a tool that is not there', () => {
  it.each(['nope', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'gets one error result that lists the tools there are: "%s"',
    async (tool) => {
      for (const [, { status, messages }] of await playTurns({ tool }, 'Done.')) {
        expect(status).toBe('completed');
        expect(resultsOf(messages)).toHaveLength(1);
        expect(resultsOf(messages)[0]).toMatchObject({
          status: 'error',
          content: `There is no tool "${tool}". The tools are: behave, optional.`,
        });
      }
    },
  );

  it.each([
    ['$READFILE', '_READFILE'],
    ['search.evidence invalid', 'search_evidence_invalid'],
    ['x'.repeat(100), `${'x'.repeat(55)}_09ecb6eb`],
    ['日本', '_'],
  ])('stays in the conversation under a name that providers accept: %s', async (tool, stored) => {
    for (const [, { messages }] of await playTurns({ tool }, 'Done.')) {
      expect(callsOf(messages)[0].name).toBe(stored);
      expect(resultsOf(messages)[0].name).toBe(stored);
    }
  });

  it('and has no name at all is no call, and beside nothing else no answer', async () => {
    for (const [, { status, messages, steps }] of await playTurns({ tool: '' }, 'Done.')) {
      expect(status).toBe('completed');
      expect(callsOf(messages)).toEqual([]);
      expect(steps).toHaveLength(2);
    }
  });

  it('has the same name in all its events, the one that the model wrote', async () => {
    const { agent } = await startAgent([Tools], { model: scripted([{ tool: 'a.b' }, 'Done.']) });
    const { events } = await streamToEnd(agent);
    expect(events.filter((event) => 'name' in event)).toMatchObject([
      { type: 'tool-call', name: 'a.b' },
      { type: 'tool-result', name: 'a.b' },
    ]);
  });

  it('does not run a tool whose name is like it', async () => {
    @Injectable()
    class Underscored {
      @Tool('Deletes.')
      delete_all() {
        runs.push('deleted');
      }
    }
    runs.length = 0;
    const model = scripted([{ tool: 'delete.all' }, { tool: 'Delete_All' }, 'Done.']);
    const { agent } = await startAgent([Underscored], { model });
    expect((await runToEnd(agent)).status).toBe('completed');
    expect(runs).toEqual([]);
  });

  it('does not harm the calls beside it, however often it comes', async () => {
    const both: ScriptedCall[] = [{ tool: 'nope' }, { tool: 'optional' }];
    for (const [, { status, messages }] of await playTurns(both, both, both, 'Done.')) {
      expect(status).toBe('completed');
      const statuses = resultsOf(messages).map((part) => part.status);
      expect(statuses.join()).toBe('error,success,error,success,error,success');
    }
  });
});

describe('two calls with one id', () => {
  it('both run, and each has its own result under an id of its own', async () => {
    const twins = [
      { tool: 'optional', id: 'c1', arguments: { note: 'a' } },
      { tool: 'optional', id: 'c1', arguments: { note: 'b' } },
    ];
    for (const [, { messages }] of await playTurns(twins, twins, 'Done.')) {
      expect(callsOf(messages)).toHaveLength(4);
      expect(callsOf(messages)[0].id).toBe('c1');
    }
    expect(runs).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('without any id are told apart as well', async () => {
    const twins = [
      { tool: 'optional', id: '' },
      { tool: 'optional', id: '' },
    ];
    for (const [, { messages }] of await playTurns(twins, twins, 'Done.')) {
      expect(callsOf(messages).every(({ id }) => id.length > 8)).toBe(true);
    }
  });
});

describe('a tool that throws', () => {
  class NameOnly extends Error {
    override name = 'NameOnly';
  }
  const hostile = {
    get message(): string {
      throw new Error('no message');
    },
    toString(): string {
      throw new Error('no text');
    },
  };
  const unusual = Object.assign(new Error('x'), { message: { code: 1 } });

  it.each<[string, unknown]>([
    ['a text', 'a string'],
    ['undefined', undefined],
    ['null', null],
    ['a number', 0],
    ['a symbol', Symbol('s')],
    ['a BigInt', 10n],
    ['an error without a message', new Error()],
    ['an error that has only a name', new NameOnly()],
    ['an object without a prototype', Object.create(null)],
    ['an object whose text cannot be read', hostile],
    ['an error whose message is no text', unusual],
  ])('%s gets a fixed text at once', async (_kind, thrown) => {
    behaviour.run = () => {
      throw thrown;
    };
    const started = performance.now();
    for (const [, { status, messages, steps }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(status).toBe('completed');
      expect(resultsOf(messages)[0]).toMatchObject({
        status: 'error',
        content: expect.stringMatching(/^"behave" failed unexpectedly \(error id \w+\)\.$/),
      });
      expect(steps[0].toolResults[0].error).toBe(thrown);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('by a rejected promise is the same', async () => {
    behaviour.run = () => Promise.reject(new Error('late'));
    for (const [, { messages }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(resultsOf(messages)[0].content).toContain('failed unexpectedly');
    }
  });
});

describe('a tool that returns', () => {
  const circular: Record<string, unknown> = { name: 'loop' };
  circular.self = circular;

  it.each<[string, unknown, string]>([
    ['a BigInt', { id: 9_007_199_254_740_993n }, '{"id":"9007199254740993"}'],
    ['a circular object', circular, '{"name":"loop","self":"[circular]"}'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a set', new Set([1]), '[1]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['NaN', Number.NaN, 'null'],
  ])('%s gives the model a text', async (_kind, value, content) => {
    behaviour.run = () => value;
    for (const [, { status, messages }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(status).toBe('completed');
      expect(resultsOf(messages)).toMatchObject([{ status: 'success', content }]);
    }
  });

  it.each<[string, unknown]>([
    ['a function', () => undefined],
    ['a symbol', Symbol('s')],
    [
      'an object that throws when it is read',
      {
        get bad() {
          throw new TypeError('unreadable');
        },
      },
    ],
  ])('%s gives one result that is not empty', async (_kind, value) => {
    behaviour.run = () => value;
    for (const [, { status, messages }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(status).toBe('completed');
      expect(resultsOf(messages)).toHaveLength(1);
    }
  });
});

describe('a tool that never ends', () => {
  it.each<[string, () => unknown]>([
    ['never resolves', () => new Promise(() => undefined)],
    [
      'yields for ever',
      async function* () {
        for (;;) {
          await sleep(1);
          yield 1;
        }
      },
    ],
  ])('times out and the run goes on: it %s', async (_kind, run) => {
    behaviour.run = run;
    for (const [, { status, messages }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(status).toBe('completed');
      expect(resultsOf(messages)).toMatchObject([
        { status: 'error', content: '"behave" timed out after 50 ms.' },
      ]);
    }
  });

  it('does not hold up its siblings, whose results are kept', async () => {
    behaviour.run = () => new Promise(() => undefined);
    const turn = [{ tool: 'behave' }, { tool: 'optional' }];
    for (const [, { messages }] of await playTurns(turn, 'Done.')) {
      expect(resultsOf(messages).map((part) => part.status)).toEqual(['error', 'success']);
    }
  });

  it('is not heard any more when it ends after all', async () => {
    behaviour.run = async () => {
      await sleep(70);
      throw new Error('too late');
    };
    for (const [, { messages }] of await playTurns({ tool: 'behave' }, 'Done.')) {
      expect(resultsOf(messages)[0].content).toContain('timed out');
    }
    await sleep(80);
  });
});

describe('a model that', () => {
  it('always calls is stopped at the default limit of ten steps', async () => {
    const always = Array.from({ length: 20 }, () => ({ tool: 'optional' }));
    for (const [, { status, steps, text: answer }] of await playTurns(...always)) {
      expect(status).toBe('limited');
      expect(steps).toHaveLength(10);
      expect(answer).toBe('I could not finish this within 10 steps.');
    }
  });

  it('always calls a lot is stopped at the default limit of fifty calls', async () => {
    const many = Array.from({ length: 30 }, () => ({ tool: 'optional' }));
    for (const [, { messages }] of await playTurns(many, many, 'Done.')) {
      const statuses = resultsOf(messages).map((part) => part.status);
      expect(statuses).toEqual([
        ...Array.from({ length: 50 }, () => 'success'),
        ...Array.from({ length: 10 }, () => 'error'),
      ]);
    }
    expect(runs).toHaveLength(100);
  });

  it('answers nothing, ever, fails the run', async () => {
    for (const [, { status, error }] of await playTurns({ text: '' }, { text: '' })) {
      expect(status).toBe('failed');
      expect(error?.message).toContain('answered nothing');
    }
  });

  it('answers with errors fails the run with the cause', async () => {
    const cause = new Error('429');
    for (const [, { status, error }] of await playTurns({ tool: 'optional' }, { error: cause })) {
      expect([status, error?.cause]).toEqual(['failed', cause]);
    }
  });

  it('throws instead of answering fails the run', async () => {
    const { agent } = await startAgent([Tools]);
    const model: ChatModel = {
      name: 'throwing',
      generate: () => {
        throw new Error('not even a promise');
      },
      stream: () => {
        throw new Error('not even a stream');
      },
    };
    expect((await runToEnd(agent, { model })).error?.message).toContain('not even a promise');
    expect((await streamToEnd(agent, { model })).error?.message).toContain('not even a stream');
  });

  it.each<[string, () => AsyncGenerator<ReturnType<typeof text>>]>([
    [
      'drops the connection',
      async function* () {
        yield text('Hel');
        throw new Error('terminated');
      },
    ],
    [
      'ends without a finish',
      async function* () {
        yield text('Hel');
      },
    ],
  ])('%s in the middle fails the run, which keeps the text', async (_kind, stream) => {
    const { agent } = await startAgent([Tools], { model: streaming(stream) });
    const { status, text: partial, error } = await streamToEnd(agent);
    expect([status, partial]).toEqual(['failed', 'Hel']);
    expect(error?.cause).toBeInstanceOf(Error);
  });

  it('goes on after its finish does not get a second answer in', async () => {
    const model = streaming(async function* () {
      yield text('Done.');
      yield STOP;
      yield STOP;
    });
    const { agent } = await startAgent([Tools], { model });
    expect(await streamToEnd(agent)).toMatchObject({ status: 'completed', text: 'Done.' });
  });
});

describe('a consumer that', () => {
  const turns = () => scripted([{ tool: 'optional' }, 'Here you are.']);

  it('never reads starts nothing', async () => {
    const model = turns();
    const { agent } = await startAgent([Tools], { model });
    agent.stream('Go.');
    await sleep(5);
    expect(model.requests).toHaveLength(0);
  });

  it.each([
    ['the events', (stream: ReturnType<typeof readable>) => stream],
    ['the text', (stream: ReturnType<typeof readable>) => stream.textStream],
  ])(
    'leaves before the first read of %s starts nothing, and the result says so',
    async (_kind, view) => {
      const model = turns();
      const { agent } = await startAgent([Tools], { model });
      const stream = readable(agent);
      const iterator = view(stream)[Symbol.asyncIterator]();
      expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
      expect(await stream.result).toMatchObject({ status: 'aborted', messages: [], steps: [] });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
      expect(model.requests).toHaveLength(0);
    },
  );

  it.each([
    'run-started',
    'step-started',
    'tool-call',
    'tool-result',
    'step-finished',
    'text-delta',
  ] as const)('leaves at %s ends the run as an aborted one', async (type) => {
    const model = turns();
    const { agent } = await startAgent([Tools], { model });
    const { signal } = new AbortController();
    const stream = agent.stream('Go.', { signal });
    await leaveAt(stream, type);
    const result = await stream.result;
    expect(result).toMatchObject({ status: 'aborted', finishReason: 'aborted' });
    expectSendable(result.messages);
    expect(model.requests.length).toBe(
      type === 'text-delta' ? 2 : ['run-started', 'step-started'].includes(type) ? 0 : 1,
    );
  });

  it('leaves at the last event gets the result of the run, which had ended', async () => {
    const { agent } = await startAgent([Tools], { model: turns() });
    const stream = agent.stream('Go.');
    await leaveAt(stream, 'run-finished');
    expect(await stream.result).toMatchObject({ status: 'completed', text: 'Here you are.' });
  });

  it('leaves at the failure finds it in the result, and nowhere else', async () => {
    const { agent } = await startAgent([Tools], { model: scripted([{ error: new Error('no') }]) });
    const stream = agent.stream('Go.');
    await leaveAt(stream, 'run-failed');
    await idle();
    await expect(stream.result).rejects.toThrow('no');
  });

  it('leaves twice, or reads on after it left, gets nothing more', async () => {
    const { agent } = await startAgent([Tools], { model: turns() });
    const events = agent.stream('Go.')[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
    await events.return?.();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('throws while it reads gets its own error', async () => {
    const { agent } = await startAgent([Tools], { model: turns() });
    const stream = agent.stream('Go.');
    const reading = (async () => {
      for await (const { type } of stream) if (type === 'tool-call') throw new Error('mine');
    })();
    await expect(reading).rejects.toThrow('mine');
    expect((await stream.result).status).toBe('aborted');
  });

  it('never asks for the result is not told of a failure a second time', async () => {
    const { agent } = await startAgent([Tools], { model: scripted([{ error: new Error('no') }]) });
    const { error } = await readAll(agent.stream('Go.'));
    expect((error as Error).message).toContain('no');
    await sleep(5);
  });

  it('stops reading without leaving still gets the result, once the run timed out', async () => {
    const { agent } = await startAgent([Tools], { model: turns() });
    const stream = agent.stream('Go.', { limits: { timeout: 10 } });
    await stream[Symbol.asyncIterator]().next();
    expect(await stream.result).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
  });

  it('stops reading without leaving finds the run ended by its timeout', async () => {
    const model = turns();
    const { agent } = await startAgent([Tools], { model });
    const events = agent.stream('Go.', { limits: { timeout: 10 } })[Symbol.asyncIterator]();
    await events.next();
    await sleep(30);
    expect(await events.next()).toMatchObject({
      value: { type: 'run-finished', result: { status: 'aborted', finishReason: 'timeout' } },
    });
    expect(model.requests).toHaveLength(0);
  });
});

function readable(agent: Awaited<ReturnType<typeof startAgent>>['agent']) {
  return agent.stream('Go.');
}
