/**
 * Abort, time and resources: faults 84 to 90 of public agent loops.
 *
 * Not applicable here: 86 for a timeout of a step (there is one for the run and one for each tool);
 * 87 for MCP (there is no client); a fatal error of a tool in 88 (every error of a tool is a result,
 * so the siblings of a failed call go on; the run's own end is what cancels them); 89 and the retries
 * of 90 (the protocol libraries retry, and test it; that the loop itself never asks again for a
 * broken stream is in `control.spec.ts`).
 */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  AgentRunException,
  Tool,
  ToolSignal,
  type AgentResult,
  type AgentRunOptions,
  type AgentService,
  type ChatModel,
  type ChatOptions,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { leaveAt, only, readAll } from './support/events.js';
import { expectSendable, resultsOf } from './support/messages.js';
import { generating, silent, streaming, text } from './support/models.js';
import { aborted, abortListeners, gate, idle, sleep } from './support/time.js';

const seen: { signals: AbortSignal[]; writes: string[]; onStart: () => void } = {
  signals: [],
  writes: [],
  onStart: () => undefined,
};

@Injectable()
class Work {
  @Tool('Ends at once.')
  quick(@ToolSignal() signal: AbortSignal) {
    seen.signals.push(signal);
    seen.onStart();
    return 'done';
  }

  @Tool('Ends a little later.')
  async late() {
    await sleep(20);
    return 'late';
  }

  @Tool('Ends when it is told to, after some cleaning up.')
  async obedient(@ToolSignal() signal: AbortSignal) {
    seen.signals.push(signal);
    seen.onStart();
    await aborted(signal);
    await sleep(5);
    seen.writes.push('ended');
    throw signal.reason;
  }

  @Tool('Never ends, whatever it is told.')
  deaf() {
    seen.onStart();
    return new Promise(() => undefined);
  }

  @Tool('Fails late, whatever it is told.')
  async deafAndFailing() {
    seen.onStart();
    await sleep(1_100);
    throw new Error('too late');
  }

  @Tool('Goes on after the end, and has a result all the same.')
  async stubborn(@ToolSignal() signal: AbortSignal) {
    seen.onStart();
    await aborted(signal);
    return 'written';
  }

  @Tool({ description: 'Alone.', parallel: false })
  alone() {
    seen.writes.push('alone');
  }
}

async function agentFor(model: ChatModel): Promise<AgentService> {
  seen.signals = [];
  seen.writes = [];
  seen.onStart = () => undefined;
  return (await startAgent([Work], { model })).agent;
}

/** The same in both ways to run. */
const WAYS: [string, (agent: AgentService, options?: AgentRunOptions) => Promise<AgentResult>][] = [
  ['run()', (agent, options) => agent.run('Go.', options)],
  ['stream()', (agent, options) => agent.stream('Go.', options).result],
];

describe.each(WAYS)('aborting %s', (_way, run) => {
  it('before it starts asks no model', async () => {
    const model = scripted(['Never.']);
    const agent = await agentFor(model);
    const result = await run(agent, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      status: 'aborted',
      finishReason: 'aborted',
      messages: [],
      steps: [],
    });
    expect(model.requests).toHaveLength(0);
  });

  it.each(['obedient', 'stubborn'])(
    'during the tool "%s" asks the model no second time and returns what there is',
    async (tool) => {
      const model = scripted([[{ tool }, { tool: 'quick' }], 'Never.']);
      const agent = await agentFor(model);
      const controller = new AbortController();
      seen.onStart = () => controller.abort();
      const result = await run(agent, { signal: controller.signal });
      expect(result).toMatchObject({ status: 'aborted', finishReason: 'aborted' });
      expect(result.steps).toHaveLength(1);
      expect(model.requests).toHaveLength(1);
      expect(resultsOf(result.messages)).toHaveLength(2);
      expectSendable(result.messages);
      expect(abortListeners(controller.signal)).toBe(0);
    },
  );

  it('keeps the result of a tool that ended well in spite of it: what was done must be known', async () => {
    const agent = await agentFor(scripted([{ tool: 'stubborn' }, 'Never.']));
    const controller = new AbortController();
    seen.onStart = () => controller.abort();
    const { messages } = await run(agent, { signal: controller.signal });
    expect(resultsOf(messages)).toMatchObject([{ status: 'success', content: 'written' }]);
  });

  it('cancels all calls that run, and returns only when they have ended', async () => {
    const agent = await agentFor(
      scripted([[{ tool: 'obedient' }, { tool: 'obedient' }, { tool: 'quick' }], 'Never.']),
    );
    const controller = new AbortController();
    const reason = new Error('The user closed the page.');
    seen.onStart = () => {
      if (seen.signals.length === 3) controller.abort(reason);
    };
    const { messages } = await run(agent, { signal: controller.signal });
    expect(seen.writes).toEqual(['ended', 'ended']);
    expect(seen.signals[0].reason).toBe(reason);
    expect(resultsOf(messages).map(({ status }) => status)).toEqual([
      'interrupted',
      'interrupted',
      'success',
    ]);
  });

  it('starts none of the calls that still waited for their turn', async () => {
    const agent = await agentFor(
      scripted([[{ tool: 'obedient' }, { tool: 'alone' }, { tool: 'quick' }], 'Never.']),
    );
    const controller = new AbortController();
    seen.onStart = () => controller.abort();
    const { messages } = await run(agent, { signal: controller.signal });
    expect(seen.writes).not.toContain('alone');
    expect(resultsOf(messages).map(({ status }) => status)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
  });

  it('does not wait for a model that ignores its signal', async () => {
    const agent = await agentFor(silent());
    const controller = new AbortController();
    const running = run(agent, { signal: controller.signal });
    await idle();
    controller.abort();
    expect(await running).toMatchObject({ status: 'aborted', text: '' });
    expect(abortListeners(controller.signal)).toBe(0);
  });

  it('reaches the model with the reason of the caller', async () => {
    const reason = new Error('enough');
    const reasons: unknown[] = [];
    const listen = (signal?: AbortSignal) =>
      signal?.addEventListener('abort', () => reasons.push(signal.reason));
    const model: ChatModel = {
      name: 'listening',
      generate: (_request, { signal } = {}) => {
        listen(signal);
        return new Promise(() => undefined);
      },
      async *stream(_request, { signal } = {}) {
        listen(signal);
        yield text('Hel');
        await new Promise(() => undefined);
      },
    };
    const agent = await agentFor(model);
    const controller = new AbortController();
    const running = run(agent, { signal: controller.signal });
    await sleep(5);
    controller.abort(reason);
    await running;
    expect(reasons).toEqual([reason]);
  });

  it('reaches a model that looks at its signal only later', async () => {
    const looked = gate();
    const reasons: unknown[] = [];
    const look = async (options: ChatOptions = {}) => {
      await sleep(20);
      reasons.push(options.signal?.reason);
      looked.open();
    };
    const model: ChatModel = {
      name: 'late',
      generate: (_request, options) => {
        void look(options);
        return new Promise(() => undefined);
      },
      async *stream(_request, options) {
        yield text('Hel');
        await look(options);
      },
    };
    const agent = await agentFor(model);
    const controller = new AbortController();
    const running = run(agent, { signal: controller.signal });
    await sleep(5);
    controller.abort(new Error('enough'));
    await running;
    await looked.opened;
    expect(reasons).toMatchObject([{ message: 'enough' }]);
  });

  it('after it ended changes nothing and reaches nobody', async () => {
    const agent = await agentFor(scripted([{ tool: 'quick' }, 'Done.']));
    const controller = new AbortController();
    const result = await run(agent, { signal: controller.signal });
    controller.abort();
    expect(result.status).toBe('completed');
    expect(seen.signals[0].aborted).toBe(false);
  });
});

describe('a signal that lives longer than its runs', () => {
  it.each(WAYS)('has one listener during a run and none after 100 steps: %s', async (_way, run) => {
    const counts: number[] = [];
    const { signal } = new AbortController();
    const turns = Array.from({ length: 100 }, () => () => {
      counts.push(abortListeners(signal));
      return [{ tool: 'quick' }, { tool: 'quick' }];
    });
    const agent = await agentFor(scripted([...turns, 'Done.']));
    await run(agent, { signal, limits: { steps: 200, toolCalls: 1_000 } });
    expect(counts).toHaveLength(100);
    expect(Math.max(...counts)).toBe(1);
    expect(abortListeners(signal)).toBe(0);
  });

  it.each([
    ['fails', scripted([{ error: new Error('no') }])],
    ['is limited', scripted([{ tool: 'quick' }, 'So far.'])],
    ['breaks off', scripted([{ deltas: [text('Half')] }])],
  ])('has no listener after a run that %s', async (_kind, model) => {
    const { signal } = new AbortController();
    const agent = await agentFor(model);
    await readAll(agent.stream('Go.', { signal, limits: { steps: 1 } }));
    expect(abortListeners(signal)).toBe(0);
  });

  it('has no listener after a run whose consumer left', async () => {
    const { signal } = new AbortController();
    const agent = await agentFor(scripted([{ tool: 'obedient' }, 'Never.']));
    await leaveAt(agent.stream('Go.', { signal }), 'tool-call');
    expect(abortListeners(signal)).toBe(0);
  });

  it('has none, and the run no timer, if the consumer reads to the last event but not to the end', async () => {
    const { signal } = new AbortController();
    const agent = await agentFor(scripted(['Done.']));
    const stream = agent.stream('Go.', { signal, limits: { timeout: 60_000 } });
    const events = stream[Symbol.asyncIterator]();
    for (;;) {
      const { value } = await events.next();
      if (value?.type === 'run-finished') break;
    }
    expect(abortListeners(signal)).toBe(0);
    expect((await stream.result).status).toBe('completed');
    // The leak check of the suite fails if the timer of a minute is left.
  });

  it('has none once the run timed out, though its consumer never reads on', async () => {
    const { signal } = new AbortController();
    const agent = await agentFor(scripted(['Done.']));
    const events = agent.stream('Go.', { signal, limits: { timeout: 20 } })[Symbol.asyncIterator]();
    await events.next();
    expect(abortListeners(signal)).toBe(1);
    await sleep(40);
    expect(abortListeners(signal)).toBe(0);
  });
});

describe.each(WAYS)('the timeout of %s', (_way, run) => {
  const limits = { timeout: 40 };

  it('ends a run whose model goes silent, with its own reason', async () => {
    const agent = await agentFor(silent(text('Hel')));
    const started = performance.now();
    const result = await run(agent, { limits });
    expect(result).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
    expect(performance.now() - started).toBeLessThan(900);
  });

  it('reaches the tools as a TimeoutError', async () => {
    const agent = await agentFor(scripted([{ tool: 'obedient' }, 'Never.']));
    const result = await run(agent, { limits });
    expect(result).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
    expect(seen.signals[0].reason).toMatchObject({ name: 'TimeoutError' });
    expect(resultsOf(result.messages)).toMatchObject([{ status: 'interrupted' }]);
  });

  it('looks different from an abort by the caller', async () => {
    const agent = await agentFor(silent());
    const controller = new AbortController();
    const running = run(agent, { limits, signal: controller.signal });
    controller.abort();
    expect((await running).finishReason).toBe('aborted');
  });

  it('does not exist if it is set to Infinity', async () => {
    const agent = await agentFor(scripted([{ tool: 'late' }, 'Done.']));
    expect((await run(agent, { limits: { timeout: Infinity } })).status).toBe('completed');
  });
});

describe('a tool that ignores its signal', () => {
  /** Both ways beside each other, for each has to wait. */
  async function runBoth(options: () => AgentRunOptions): Promise<AgentResult[]> {
    const agent = await agentFor(scripted([]));
    const started = performance.now();
    const results = await Promise.all(
      WAYS.map(([, run]) =>
        run(agent, {
          model: scripted([[{ tool: 'deaf' }, { tool: 'quick' }], 'Never.']),
          ...options(),
        }),
      ),
    );
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(performance.now() - started).toBeLessThan(1_900);
    return results;
  }

  it('is waited for a second after an abort; then the run returns with what there is', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    for (const result of await runBoth(() => ({ signal: controller.signal }))) {
      expect(result).toMatchObject({ status: 'aborted', finishReason: 'aborted' });
      expect(resultsOf(result.messages).map(({ status }) => status)).toEqual([
        'interrupted',
        'success',
      ]);
      expectSendable(result.messages);
    }
    expect(abortListeners(controller.signal)).toBe(0);
  });

  it('is waited for a second after the timeout of the run, too', async () => {
    for (const result of await runBoth(() => ({ limits: { timeout: 20 } }))) {
      expect(result).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
      expectSendable(result.messages);
    }
  });
});

describe('a caller whose own signal is a timeout', () => {
  it('gets that reason', async () => {
    const agent = await agentFor(silent());
    const result = await agent.run('Go.', { signal: AbortSignal.timeout(10) });
    expect(result.finishReason).toBe('timeout');
  });
});

describe('an abort by the consumer between two reads', () => {
  it('asks the model nothing after it', async () => {
    const model = scripted(['Never.']);
    const agent = await agentFor(model);
    const controller = new AbortController();
    for await (const { type } of agent.stream('Go.', { signal: controller.signal })) {
      if (type === 'step-started') controller.abort();
    }
    expect(model.requests).toHaveLength(0);
  });

  it('reads nothing more from the model after it', async () => {
    let pulled = 0;
    const controller = new AbortController();
    const model = streaming(async function* () {
      while (pulled++ < 100) yield text('word ');
    });
    const agent = await agentFor(model);
    for await (const { type } of agent.stream('Go.', { signal: controller.signal })) {
      if (type === 'text-delta') controller.abort();
    }
    // One piece may be on its way while the consumer has the one before it.
    expect(pulled).toBeLessThanOrEqual(2);
  });

  it('runs none of the calls that were announced', async () => {
    const agent = await agentFor(scripted([[{ tool: 'quick' }, { tool: 'quick' }], 'Never.']));
    const controller = new AbortController();
    const stream = agent.stream('Go.', { signal: controller.signal });
    for await (const { type } of stream) if (type === 'tool-call') controller.abort();
    expect(seen.signals).toHaveLength(0);
    expectSendable((await stream.result).messages);
  });
});

describe('the events after an abort', () => {
  it('are the end of the step and of the run, and no step is begun', async () => {
    const agent = await agentFor(scripted([{ tool: 'obedient' }, 'Never.']));
    const controller = new AbortController();
    seen.onStart = () => controller.abort();
    const { events } = await readAll(agent.stream('Go.', { signal: controller.signal }));
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'step-started',
      'tool-call',
      'tool-result',
      'step-finished',
      'run-finished',
    ]);
  });

  it('do not take back an answer that was complete', async () => {
    const agent = await agentFor(scripted(['Done.']));
    const controller = new AbortController();
    const stream = agent.stream('Go.', { signal: controller.signal });
    for await (const { type } of stream) if (type === 'step-finished') controller.abort();
    expect(await stream.result).toMatchObject({ status: 'completed', text: 'Done.' });
  });
});

describe('a model that is left', () => {
  it('is told to clean up: its stream is returned and its signal aborted', async () => {
    const cleaned = gate();
    let signal: AbortSignal | undefined;
    const model = streaming(async function* (_request, options) {
      signal = options.signal;
      try {
        yield text('Hel');
        yield text('lo');
      } finally {
        cleaned.open();
      }
    });
    const agent = await agentFor(model);
    await leaveAt(agent.stream('Go.'), 'text-delta');
    await cleaned.opened;
    expect(signal?.reason).toMatchObject({ name: 'AbortError' });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('clean-up failed'))],
    [
      'throws',
      () => {
        throw new Error('clean-up failed');
      },
    ],
    ['is no promise', () => undefined as unknown as Promise<IteratorResult<never>>],
  ])('may fail at it without an effect on the run: its return() %s', async (_kind, leave) => {
    const next = () => Promise.resolve({ done: false as const, value: text('word ') });
    const model = streaming(() => ({
      [Symbol.asyncIterator]: () => ({ next, return: leave }),
    }));
    const stream = (await agentFor(model)).stream('Go.');
    await leaveAt(stream, 'text-delta');
    expect((await stream.result).status).toBe('aborted');
    await idle();
  });
});

describe('a failure in the background', () => {
  it('of a model that rejects after the abort is nobody’s unhandled rejection', async () => {
    const model = generating(async (_request, { signal }) => {
      await aborted(signal as AbortSignal);
      await sleep(5);
      throw new Error('socket closed');
    });
    const agent = await agentFor(model);
    const controller = new AbortController();
    const running = agent.run('Go.', { signal: controller.signal });
    await idle();
    controller.abort();
    expect((await running).status).toBe('aborted');
    await sleep(10);
  });

  it('of a stream that drops is the failure of the run, and nothing else', async () => {
    const model = streaming(async function* () {
      yield text('Hel');
      await sleep(1);
      throw new TypeError('terminated');
    });
    const stream = (await agentFor(model)).stream('Go.');
    const { events, error } = await readAll(stream);
    expect(error).toBeInstanceOf(AgentRunException);
    expect((error as AgentRunException).partial.text).toBe('Hel');
    expect(only(events, 'run-failed')).toHaveLength(1);
    await idle();
  });

  it('of a tool that fails after it was given up is not reported twice', async () => {
    const agent = await agentFor(scripted([{ tool: 'deafAndFailing' }, 'Never.']));
    const result = await agent.run('Go.', { limits: { timeout: 10 } });
    await sleep(150);
    expect(resultsOf(result.messages)).toMatchObject([{ status: 'interrupted' }]);
  });
});

describe('a tool that fails', () => {
  it('does not end its siblings: each has its own result, and the run goes on', async () => {
    @Injectable()
    class Failing {
      @Tool('Fails at once.')
      fail() {
        throw new Error('no');
      }
      @Tool('Writes later.')
      async write() {
        await sleep(5);
        seen.writes.push('later');
      }
    }
    const model = scripted([[{ tool: 'fail' }, { tool: 'write' }], 'Done.']);
    seen.writes = [];
    const { agent } = await startAgent([Failing], { model });
    const { status, messages } = await agent.run('Go.');
    expect(status).toBe('completed');
    expect(seen.writes).toEqual(['later']);
    expect(resultsOf(messages).map((part) => part.status)).toEqual(['error', 'success']);
  });
});
