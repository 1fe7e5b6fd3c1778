/**
 * Random models, tools, aborts and consumers: whatever they do, what is promised of every run holds.
 * A failure names its seed; `seeds(1, seed)` repeats it alone.
 */
import { beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  type AgentEvent,
  type AgentRunException,
  type AgentRunOptions,
  type AgentStream,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';
import { readAll } from './support/events.js';
import { fuzzScript } from './support/fuzz-script.js';
import { FuzzTools } from './support/fuzz-tools.js';
import {
  expectEvents,
  expectInvariants,
  outcomeOf,
  runToEnd,
  streamToEnd,
  type Outcome,
} from './support/outcome.js';
import { Random } from './support/random.js';
import { abortListeners, idle, sleep } from './support/time.js';

/** Some end by themselves, some only when the run does, some end it. */
const ABORTING = ['fast', 'slow', 'alone', 'listening', 'throwing', 'deaf', 'aborting'];

const seeds = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => first + index);

let app: TestingModule;
let agent: AgentService;

beforeAll(async () => {
  app = await createApp({ providers: [FuzzTools] });
  agent = app.get(AgentService);
});

afterAll(() => app.close());

/** A failure says with which seed. Runs beside each other do not know each other. */
async function forEachSeed(count: number, check: (seed: number) => Promise<void>): Promise<void> {
  const queue = seeds(count);
  const worker = async () => {
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
      try {
        await check(seed);
      } catch (error) {
        (error as Error).message = `seed ${seed}: ${(error as Error).message}`;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
}

async function settled(stream: AgentStream): Promise<Outcome> {
  return outcomeOf(await stream.result.catch((error: unknown) => error as AgentRunException));
}

describe('any run', () => {
  it('is the same with run() and with stream(), if nobody interferes', async () => {
    const statuses = new Set<string>();
    await forEachSeed(200, async (seed) => {
      const play = () => {
        const { turns, limits } = fuzzScript(new Random(seed));
        return { model: scripted(turns), limits };
      };
      const ran = await runToEnd(agent, play());
      const streamed = await streamToEnd(agent, play());
      expect(comparable(streamed)).toEqual(comparable(ran));
      statuses.add(ran.status);
    });
    // Otherwise the models are not bad enough.
    expect([...statuses].toSorted()).toEqual(['completed', 'failed', 'limited']);
  }, 30_000);

  it('ends well when it is aborted at any time, by anybody', async () => {
    const statuses = new Set<string>();
    await forEachSeed(200, async (seed) => {
      const random = new Random(seed);
      const { turns, limits } = fuzzScript(random, ABORTING);
      const controller = new AbortController();
      const context: object = { stop: () => controller.abort() };
      const options: AgentRunOptions = {
        model: scripted(turns),
        limits: { ...limits, timeout: random.pick([2, 6, 10_000]) },
        signal: controller.signal,
        context,
      };
      const timer = setTimeout(() => controller.abort(new Error('enough')), random.integer(0, 12));
      const run = random.chance(0.5) ? runToEnd : streamToEnd;
      statuses.add((await run(agent, options)).status);
      clearTimeout(timer);
    });
    expect([...statuses].toSorted()).toEqual(['aborted', 'completed', 'failed', 'limited']);
  }, 30_000);

  it('ends well when its consumer leaves at any event, in any way', async () => {
    const statuses = new Set<string>();
    await forEachSeed(200, async (seed) => {
      const random = new Random(seed);
      const { turns, limits } = fuzzScript(random, ABORTING.slice(0, -1));
      const { signal } = new AbortController();
      const stream = agent.stream('Go.', { model: scripted(turns), limits, signal });
      const leave = random.pick([leaveLoop, unsubscribe, abandonText]);
      const events = await leave(stream, random.integer(0, 25));
      const outcome = await settled(stream);
      expectInvariants(outcome, signal);
      const terminal = events.filter(({ type }) => type.startsWith('run-f'));
      expect(terminal.length).toBeLessThanOrEqual(1);
      if (terminal.length > 0) expectEvents(events, outcome);
      statuses.add(outcome.status);
      await idle();
      expect(abortListeners(signal)).toBe(0);
    });
    expect(statuses).toContain('aborted');
    expect(statuses).toContain('completed');
  }, 30_000);

  it('ends well when nobody reads its events', async () => {
    await forEachSeed(60, async (seed) => {
      const { turns, limits } = fuzzScript(new Random(seed));
      const { signal } = new AbortController();
      const stream = agent.stream('Go.', { model: scripted(turns), limits, signal });
      expectInvariants(await settled(stream), signal);
      expect(await readAll(stream).then(({ error }) => error)).toBeInstanceOf(Error);
    });
  }, 30_000);
});

async function leaveLoop(stream: AgentStream, count: number): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of stream) {
      if (events.push(event) > count) break;
    }
  } catch {
    // The failure of the run is in its result.
  }
  return events;
}

async function unsubscribe(stream: AgentStream, count: number): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  await new Promise<void>((resolve) => {
    const subscription = stream.toObservable().subscribe({
      next: (event) => {
        if (events.push(event) <= count) return;
        subscription.unsubscribe();
        resolve();
      },
      error: () => resolve(),
      complete: resolve,
    });
  });
  return events;
}

/** Leaves by time, while a read is under way. */
async function abandonText(stream: AgentStream, milliseconds: number): Promise<AgentEvent[]> {
  const reader = stream.textStream[Symbol.asyncIterator]();
  const reading = (async () => {
    while (!(await reader.next()).done);
  })();
  reading.catch(() => undefined);
  await sleep(milliseconds / 3);
  await reader.return?.();
  return [];
}

/** Without what is random or a matter of time: run ids, made-up ids, error ids, durations. */
function comparable({ status, finishReason, text, messages, steps, usage, error }: Outcome) {
  const ids = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return ids.get(id);
  };
  return JSON.parse(
    JSON.stringify(
      // A whole answer that fails has no text; a streamed one has what came.
      {
        status,
        finishReason,
        text: status === 'failed' ? '' : text,
        messages,
        steps,
        usage,
        error: error?.message,
      },
      (key, value: unknown) => {
        if (key === 'duration') return 0;
        if ((key === 'id' || key === 'callId') && typeof value === 'string') return nameOf(value);
        return typeof value === 'string' ? value.replaceAll(/error id \w+/g, 'error id') : value;
      },
    ),
  ) as unknown;
}
