import { getEventListeners, once, setMaxListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentRunException,
  AgentService,
  ChatModelException,
  Tool,
  ToolParam,
  type AgentResult,
} from 'nestjs-agent-tools';
import { Random } from '../loop/support/random.js';
import { createApp } from '../support/app.js';
import { answerOrFail, FAULTS, TOO_HUGE_FAULT } from './fault.plan.js';
import { PROTOCOLS } from './protocols.js';
import { ProviderServer, type ProviderHandler } from './provider-server.js';

const RUNS = 1_000;
const AT_ONCE = 20;
const NAMES = Object.keys(FAULTS);
const TIMEOUTS = { connect: 250, firstChunk: 300, betweenChunks: 250, request: 2_000 };
const RETRY = { maxRetries: 2, delay: 1, maxDelay: 4 };

@Injectable()
class Orders {
  readonly calls = new Map<string, number>();

  @Tool('Finds an order.')
  find(@ToolParam('no') no: string): string {
    this.calls.set(no, (this.calls.get(no) ?? 0) + 1);
    return `state-${no}`;
  }
}

/** Calls the tool for the order that the user names, and says what came of it. */
function answerTo(body: object) {
  const sent = JSON.stringify(body);
  const no = /Order (\d+)\?/.exec(sent)?.[1] ?? '';
  return sent.includes(`state-${no}`)
    ? { text: `Order ${no} is in state-${no}.` }
    : { text: 'Let me look.', calls: [{ id: `call_${no}`, name: 'find', input: { no } }] };
}

/** Each request of a run meets a fault or none, by the seed of the run. */
function planOf(seed: number): ProviderHandler {
  const random = new Random(seed);
  const badness = random.pick([0, 0.2, 0.5, 0.9]);
  return (request, response) => {
    const name = random.chance(badness) ? random.pick(NAMES) : undefined;
    const fault = name === undefined ? undefined : FAULTS[name];
    return answerOrFail(fault, { request, response, answer: answerTo(request.body), random });
  };
}

type Outcome = { readonly result: AgentResult } | { readonly error: unknown };

let app: TestingModule;
let agent: AgentService;
let server: ProviderServer;
const plans = new Map<string, ProviderHandler>();
/** Answers that are neither sent nor broken off. */
const open = new Set<object>();

async function run(seed: number, signal: AbortSignal): Promise<Outcome> {
  const [, create] = PROTOCOLS[seed % PROTOCOLS.length];
  const model = create({ baseURL: server.url, apiKey: 'k', timeouts: TIMEOUTS, retry: RETRY });
  const options = { model, signal, limits: { timeout: 20_000 } };
  const question = `Order ${seed}?`;
  try {
    const isStreamed = new Random(-seed).chance(0.6);
    const result = isStreamed
      ? await agent.stream(question, options).result
      : await agent.run(question, options);
    return { result };
  } catch (error) {
    return { error };
  }
}

function isRight(outcome: Outcome, seed: number): boolean {
  return 'result' in outcome && outcome.result.text === `Order ${seed} is in state-${seed}.`;
}

function isTyped(outcome: Outcome): boolean {
  return (
    'error' in outcome &&
    outcome.error instanceof AgentRunException &&
    outcome.error.cause instanceof ChatModelException
  );
}

async function untilClosed(): Promise<void> {
  for (let waits = 0; waits < 100 && (open.size > 0 || (await server.connections) > 0); waits++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a provider that fails in every way', () => {
  beforeAll(async () => {
    app = await createApp({ providers: [Orders] });
    agent = app.get(AgentService);
    server = await new ProviderServer(async (request, response) => {
      open.add(response);
      response.setHeader('connection', 'close');
      response.on('close', () => open.delete(response));
      const no = /Order (\d+)\?/.exec(JSON.stringify(request.body))?.[1] ?? '';
      await plans.get(no)?.(request, response);
    }).start();
  });

  afterAll(async () => {
    await server.stop();
    await app.close();
  });

  it(`leads each of ${RUNS} runs to the right answer or to a typed error`, async () => {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const outcomes: Outcome[] = [];
    let next = 1;
    const work = async () => {
      while (next <= RUNS) {
        const seed = next++;
        plans.set(String(seed), planOf(seed));
        outcomes[seed] = await run(seed, controller.signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));

    const seeds = Array.from({ length: RUNS }, (_, index) => index + 1);
    const wrong = seeds.filter(
      (seed) => !isRight(outcomes[seed], seed) && !isTyped(outcomes[seed]),
    );
    expect(wrong.map((seed) => [seed, outcomes[seed]])).toEqual([]);
    const right = seeds.filter((seed) => isRight(outcomes[seed], seed)).length;
    // Otherwise the plan would be too kind or too harsh to show anything.
    expect(right).toBeGreaterThan(RUNS * 0.3);
    expect(right).toBeLessThan(RUNS * 0.95);

    const { calls } = app.get(Orders);
    expect(Math.max(...calls.values())).toBe(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await untilClosed();
    expect(open.size).toBe(0);
    expect(await server.connections).toBe(0);
  }, 240_000);

  it.each(PROTOCOLS.map(([name], index) => [name, index] as const))(
    'of %s, with more in one piece than anybody can use, is left alone',
    async (_, index) => {
      const seed = 2_000 * PROTOCOLS.length + index;
      plans.set(String(seed), (request, response) =>
        answerOrFail(TOO_HUGE_FAULT, { request, response, answer: {}, random: new Random(seed) }),
      );
      const outcome = await run(seed, new AbortController().signal);
      expect(isTyped(outcome)).toBe(true);
      expect(outcome).toMatchObject({ error: { message: expect.stringMatching(/bytes|JSON/) } });
    },
    30_000,
  );

  it.each(PROTOCOLS)('of %s closes its socket at once on an abort', async (_, create) => {
    const controller = new AbortController();
    const seed = 9_999;
    let closed: Promise<unknown> | undefined;
    const arrived = new Promise<void>((resolve) => {
      plans.set(String(seed), (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        closed = once(response, 'close');
        resolve();
      });
    });
    const model = create({ baseURL: server.url, apiKey: 'k' });
    const { signal } = controller;
    const { result } = agent.stream(`Order ${seed}?`, { model, signal });
    await arrived;
    controller.abort(new Error('enough'));
    expect((await result).status).toBe('aborted');
    await closed;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
