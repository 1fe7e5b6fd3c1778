import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  AgentRunException,
  CurrentToolCall,
  Tool,
  ToolParam,
  ToolSignal,
  type AgentEvent,
  type AgentStream,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { concatMap, from, lastValueFrom, map, take, toArray } from 'rxjs';
import { startAgent } from './support/agent.js';
import { only, readAll, streamedText } from './support/events.js';
import { STOP, streaming, text } from './support/models.js';
import { aborted, abortListeners, gate, idle, sleep } from './support/time.js';

const events: string[] = [];

@Injectable()
class Tools {
  @Tool('Waits, then answers.')
  async wait(@ToolParam('ms') ms: number) {
    await sleep(ms);
    return `waited ${ms}`;
  }

  @Tool('Reports how far it is.')
  async report(@CurrentToolCall() call: ToolCall) {
    call.progress({ done: 1 });
    // No timer: which of two would fire first is for the machine to say.
    await Promise.resolve();
    call.progress({ done: 2 });
    return 'reported';
  }

  @Tool('Ends when it is told to.')
  async obedient(@ToolSignal() signal: AbortSignal) {
    events.push('started');
    await aborted(signal);
    await sleep(5);
    events.push('ended');
    throw signal.reason;
  }

  @Tool('Fails.')
  fail() {
    throw new Error('no');
  }
}

const usage = (inputTokens: number) => ({
  inputTokens,
  outputTokens: 1,
  totalTokens: inputTokens + 1,
});

const TURNS: ScriptedTurn[] = [
  {
    text: 'Let me look.',
    calls: [
      { tool: 'wait', id: 'a', arguments: { ms: 5 } },
      { tool: 'report', id: 'b' },
    ],
    usage: usage(10),
  },
  { text: 'Here you are.', usage: usage(20) },
];

async function streamOf(turns: readonly ScriptedTurn[] = TURNS): Promise<AgentStream> {
  events.length = 0;
  return (await startAgent([Tools], { model: scripted(turns) })).agent.stream('Go.');
}

describe('a stream', () => {
  it('tells what happens in the order in which it happens, each with its run and step', async () => {
    const seen = (await readAll(await streamOf())).events;
    expect(seen.map(({ type, step }) => `${step} ${type}`)).toEqual([
      '0 run-started',
      '1 step-started',
      '1 text-delta',
      '1 text-delta',
      '1 text-delta',
      '1 tool-call',
      '1 tool-call',
      '1 tool-progress',
      '1 tool-progress',
      '1 tool-result',
      '1 tool-result',
      '1 step-finished',
      '2 step-started',
      '2 text-delta',
      '2 text-delta',
      '2 text-delta',
      '2 step-finished',
      '2 run-finished',
    ]);
    expect(only(seen, 'tool-call')[0]).toMatchObject({
      callId: 'a',
      name: 'wait',
      arguments: '{"ms":5}',
    });
    expect(only(seen, 'tool-progress').map(({ value }) => value)).toEqual([
      { done: 1 },
      { done: 2 },
    ]);
    expect(only(seen, 'tool-result').map(({ callId }) => callId)).toEqual(['b', 'a']);
    expect(only(seen, 'step-finished')[0]).toMatchObject({
      finishReason: 'tool-calls',
      usage: usage(10),
    });
  });

  it('starts at the first read, not when it is made or looked at', async () => {
    const model = scripted(['Hello.']);
    const { agent } = await startAgent([Tools], { model });
    const stream = agent.stream('Go.');
    stream.toObservable();
    stream.toSse();
    void stream.textStream;
    await sleep(5);
    expect(model.requests).toHaveLength(0);
    expect((await stream.result).text).toBe('Hello.');
    expect(model.requests).toHaveLength(1);
  });

  it('passes text on while the model still writes', async () => {
    const next = gate();
    const model = streaming(async function* () {
      yield text('He');
      await next.opened;
      yield text('llo');
      yield STOP;
    });
    const { agent } = await startAgent([Tools], { model });
    const reader = agent.stream('Go.').textStream[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ done: false, value: 'He' });
    next.open();
    expect(await reader.next()).toEqual({ done: false, value: 'llo' });
    expect((await reader.next()).done).toBe(true);
  });

  it('holds the model back when its consumer is slow, and keeps all that came', async () => {
    let pulled = 0;
    const model = streaming(async function* () {
      while (pulled < 1_000) {
        pulled++;
        yield text('x');
      }
      yield STOP;
    });
    const { agent } = await startAgent([Tools], { model });
    const reader = agent.stream('Go.').textStream[Symbol.asyncIterator]();
    await reader.next();
    await sleep(20);
    // Some may wait in between: a stop at each piece costs more than the piece.
    expect(pulled).toBeLessThan(100);
    let read = 1;
    while (!(await reader.next()).done) read++;
    expect(read).toBe(1_000);
  });

  it('runs a tool only when its consumer asks for what follows the call', async () => {
    const stream = await streamOf([{ tool: 'obedient' }, 'Never.']);
    for await (const { type } of stream) {
      if (type !== 'tool-call') continue;
      await sleep(5);
      break;
    }
    expect(events).toEqual([]);
    expect((await stream.result).status).toBe('aborted');
  });

  it('passes the result of a call on while another still runs', async () => {
    const stream = await streamOf([
      [{ tool: 'obedient' }, { tool: 'wait', arguments: { ms: 1 } }],
      'Never.',
    ]);
    for await (const event of stream) {
      if (event.type !== 'tool-result') continue;
      expect(event).toMatchObject({ name: 'wait' });
      break;
    }
    expect(events).toEqual(['started', 'ended']);
  });

  it('throws at once if there is no model', async () => {
    const { agent } = await startAgent([Tools]);
    expect(() => agent.stream('Go.')).toThrow('There is no chat model.');
    await expect(agent.run('Go.')).rejects.toThrow('There is no chat model.');
  });
});

describe('the consumer of a stream', () => {
  const views: [string, (stream: AgentStream) => Promise<unknown>][] = [
    ['the events', async (stream) => stream[Symbol.asyncIterator]().next()],
    ['the text', async (stream) => stream.textStream[Symbol.asyncIterator]().next()],
    ['an Observable', (stream) => lastValueFrom(stream.toObservable())],
  ];

  it.each(views)('is the only one: %s cannot be read by a second', async (_kind, read) => {
    const stream = await streamOf(['Hello.']);
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await expect(read(stream)).rejects.toThrow('already has a consumer');
    while (!(await events.next()).done);
    expect((await stream.result).text).toBe('Hello.');
    await expect(read(stream)).rejects.toThrow('already has a consumer');
  });

  it('may ask for the result first, and read in the same tick', async () => {
    const stream = await streamOf(['Hello.']);
    const { result } = stream;
    const seen: AgentEvent[] = [];
    for await (const event of stream) seen.push(event);
    expect(streamedText(seen)).toBe('Hello.');
    expect((await result).text).toBe('Hello.');
  });

  it('may subscribe in the same tick, too', async () => {
    const stream = await streamOf(['Hello.']);
    const { result } = stream;
    const seen = await lastValueFrom(stream.toObservable().pipe(toArray()));
    expect(streamedText(seen)).toBe('Hello.');
    expect((await result).text).toBe('Hello.');
  });

  it('may ask for nothing but the result, as often as it likes', async () => {
    const stream = await streamOf();
    const [first, second] = await Promise.all([stream.result, stream.result]);
    expect(first.text).toBe('Here you are.');
    expect(second).toBe(first);
    expect(await stream.result).toBe(first);
  });

  it('comes too late once the result is being read for it', async () => {
    const stream = await streamOf(['Hello.']);
    await stream.result;
    expect(() => stream[Symbol.asyncIterator]()).toThrow('already has a consumer');
  });

  it('may ask for the result while it reads, and when it has read', async () => {
    const stream = await streamOf(['Hello.']);
    let asked: Promise<unknown> | undefined;
    for await (const { type } of stream) if (type === 'text-delta') asked = stream.result;
    expect(await asked).toBe(await stream.result);
  });

  it('gets the failure once, and the end after it', async () => {
    const reader = (await streamOf([{ error: new Error('no') }]))[Symbol.asyncIterator]();
    const outcomes: string[] = [];
    for (let read = 0; read < 6; read++) {
      outcomes.push(
        await reader.next().then(
          ({ done, value }) => (done ? 'done' : value.type),
          () => 'thrown',
        ),
      );
    }
    expect(outcomes).toEqual([
      'run-started',
      'step-started',
      'run-failed',
      'thrown',
      'done',
      'done',
    ]);
  });

  it('gets nothing more after it left, also of what was on its way', async () => {
    const reader = (await streamOf(['One two three four.'])).textStream[Symbol.asyncIterator]();
    expect((await reader.next()).value).toBe('One ');
    await sleep(5);
    await reader.return?.();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('gets the failure as an event, then as a throw, and in the result', async () => {
    const stream = await streamOf([{ error: new Error('no') }]);
    const { events: seen, error } = await readAll(stream);
    expect(error).toBeInstanceOf(AgentRunException);
    expect(seen.at(-1)).toMatchObject({ type: 'run-failed', error });
    await expect(stream.result).rejects.toBe(error);
  });
});

describe('the text of a stream', () => {
  it('is all text deltas and nothing else', async () => {
    const pieces: string[] = [];
    for await (const piece of (await streamOf()).textStream) pieces.push(piece);
    expect(pieces).toEqual(['Let ', 'me ', 'look.', 'Here ', 'you ', 'are.']);
  });

  it('throws the failure of the run', async () => {
    const stream = await streamOf([{ error: new Error('no') }]);
    const read = async () => {
      for await (const piece of stream.textStream) expect(piece).toBe('');
    };
    await expect(read()).rejects.toThrow(AgentRunException);
  });

  it('can be left, which aborts the run', async () => {
    const stream = await streamOf();
    for await (const piece of stream.textStream) {
      expect(piece).toBe('Let ');
      break;
    }
    expect((await stream.result).status).toBe('aborted');
  });
});

describe('the Observable of a stream', () => {
  it('is cold', async () => {
    const model = scripted(['Hello.']);
    const { agent } = await startAgent([Tools], { model });
    const observable = agent.stream('Go.').toObservable();
    await sleep(5);
    expect(model.requests).toHaveLength(0);
    await lastValueFrom(observable);
    expect(model.requests).toHaveLength(1);
  });

  it('loses none of 1,000 deltas to a slow consumer, and keeps their order', async () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `w${index} `);
    const stream = await streamOf([{ deltas: [...words.map(text), STOP] }]);
    const slow = stream
      .toObservable()
      .pipe(concatMap((event) => from(sleep(1)).pipe(map(() => event))));
    const seen = await lastValueFrom(slow.pipe(toArray()));
    expect(only(seen, 'text-delta').map((event) => event.text)).toEqual(words);
    expect(seen.at(-1)?.type).toBe('run-finished');
  }, 15_000);

  it('emits the failure event, then the error', async () => {
    const stream = await streamOf([{ error: new Error('no') }]);
    const seen: string[] = [];
    const error = await new Promise((resolve) => {
      stream.toObservable().subscribe({ next: ({ type }) => seen.push(type), error: resolve });
    });
    expect(error).toBeInstanceOf(AgentRunException);
    expect(seen.at(-1)).toBe('run-failed');
  });

  it('aborts the run and its tools when it is unsubscribed', async () => {
    const { signal } = new AbortController();
    events.length = 0;
    const model = scripted([{ tool: 'obedient' }, 'Never.']);
    const { agent } = await startAgent([Tools], { model });
    const stream = agent.stream('Go.', { signal });
    const seen: string[] = [];
    const subscription = stream.toObservable().subscribe(({ type }) => {
      seen.push(type);
    });
    await sleep(5);
    expect(events).toEqual(['started']);
    subscription.unsubscribe();
    const count = seen.length;
    expect(await stream.result).toMatchObject({ status: 'aborted', steps: [{ step: 1 }] });
    expect(events).toEqual(['started', 'ended']);
    expect(abortListeners(signal)).toBe(0);
    expect(model.requests).toHaveLength(1);
    expect(seen).toHaveLength(count);
  });

  it('aborts the run when an operator has enough', async () => {
    const stream = await streamOf();
    await lastValueFrom(stream.toObservable().pipe(take(2)));
    expect((await stream.result).status).toBe('aborted');
  });

  it('is not aborted by the unsubscription at its own end', async () => {
    const stream = await streamOf(['Hello.']);
    await lastValueFrom(stream.toObservable());
    await idle();
    expect((await stream.result).status).toBe('completed');
  });
});

describe('run() and stream()', () => {
  it.each<[string, ScriptedTurn[]]>([
    ['calls and text', TURNS],
    [
      'a failing tool and an unknown one',
      [
        [
          { tool: 'fail', id: 'a' },
          { tool: 'x.y', id: 'b' },
        ],
        'Sorry.',
      ],
    ],
    ['broken arguments', [{ tool: 'wait', id: 'a', arguments: '{"ms":' }, 'Sorry.']],
    [
      'reasoning and what the provider wants back',
      [
        {
          content: [
            { type: 'reasoning', text: 'Hm, well.', providerMetadata: { p: { signature: 's' } } },
            { type: 'text', text: 'I look.' },
            {
              type: 'tool-call',
              id: 'a',
              name: 'report',
              arguments: '{}',
              providerMetadata: { p: { t: 1 } },
            },
          ],
        },
        'Done.',
      ],
    ],
    ['a text that was cut off', [{ text: 'Half', finishReason: 'length' }]],
    [
      'calls that were cut off',
      [{ calls: [{ tool: 'fail', id: 'a' }], finishReason: 'length' }, 'Ok.'],
    ],
    ['an empty answer', [{ text: '' }, 'Ok.']],
  ])('have the same content: %s', async (_kind, turns) => {
    const { agent } = await startAgent([Tools]);
    const ran = await agent.run('Go.', { model: scripted(turns) });
    const streamed = await agent.stream('Go.', { model: scripted(turns) }).result;
    const comparable = ({ runId: _id, ...result }: typeof ran) =>
      JSON.parse(
        JSON.stringify(result, (key, value: unknown) => (key === 'duration' ? 0 : value)),
      ) as unknown;
    // Error ids are random.
    const plain = (result: typeof ran) =>
      JSON.stringify(comparable(result)).replaceAll(/error id \w+/g, 'error id');
    expect(plain(streamed)).toBe(plain(ran));
    expect(streamed.runId).not.toBe(ran.runId);
  });

  it('ask the model in the way that fits: as a whole, or in pieces', async () => {
    const asked: string[] = [];
    const inner = scripted(['One.', 'Two.']);
    const model = {
      name: 'counting',
      generate: (...args: Parameters<typeof inner.generate>) => {
        asked.push('generate');
        return inner.generate(...args);
      },
      stream: (...args: Parameters<typeof inner.stream>) => {
        asked.push('stream');
        return inner.stream(...args);
      },
    };
    const { agent } = await startAgent([Tools], { model });
    await agent.run('Go.');
    await agent.stream('Go.').result;
    expect(asked).toEqual(['generate', 'stream']);
  });
});
