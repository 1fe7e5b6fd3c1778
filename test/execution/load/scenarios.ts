/** Under which load the application is put. */
import { getEventListeners, setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import type { ContextId, ContextIdStrategy, HostComponentInfo } from '@nestjs/core';
import { from } from 'rxjs';
import { byAgent, byExecutor, byStream, type CallOptions, type Way } from './drive.js';
import { DurableGuard, Notes, NotingGuard, NotingInterceptor } from './enhancers.js';
import { factoryOf, hostOf, type Body, type HostOptions } from './tools.js';

export interface Scenario {
  readonly providers: readonly Provider[];
  readonly way?: Way;
  readonly warmUp?: number;
  readonly calls?: number;
  readonly optionsOf?: (index: number) => CallOptions;
  readonly strategy?: ContextIdStrategy;
}

const NOTING: HostOptions = { guard: NotingGuard, interceptor: NotingInterceptor };
const TENANTS = ['a', 'b', 'c'];
const shared = new AbortController();
setMaxListeners(0, shared.signal);

/** Gives each tenant a context of its own, as Nest's documentation has it. */
function byTenant(): ContextIdStrategy<{ tenant: string }> {
  const tenants = new Map<string, ContextId>();
  return {
    attach: (contextId, { tenant }) => {
      const ofTenant = tenants.get(tenant) ?? ContextIdFactory.create();
      tenants.set(tenant, ofTenant);
      return {
        resolve: ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? ofTenant : contextId),
        payload: { tenant },
      };
    },
  };
}

/** Fails in each first attempt. */
const failOnce: Body = ({ attempt }) => {
  if (attempt === 1) throw new Error('not yet');
  return 'done';
};

let running = 0;
const countRunning: Body = async (_call, tally) => {
  running++;
  tally.most('at once', running);
  await setImmediate();
  running--;
};

const listen: Body = ({ signal }, tally) => {
  signal.addEventListener('abort', () => tally.add('abort'));
  tally.most('listeners', listenersLeft());
};

/** Listens to the signal of the call until its time is up. */
const hang: Body = ({ signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('too late'));
  });

const kept: unknown[] = [];

let streams = 0;
const streamInTurn: Body = () => (++streams % 4 < 2 ? from([1, 2, 3]) : numbers());

async function* numbers() {
  yield 1;
  await Promise.resolve();
  yield 2;
}

const MANY = { warmUp: 1_000, calls: 10_000 };

export const SCENARIOS: Record<string, Scenario> = {
  executor: { providers: [hostOf()], way: byExecutor, ...MANY },
  agent: { providers: [hostOf()], way: byAgent, ...MANY },
  factory: { providers: [factoryOf()] },
  'transient dependencies': { providers: [Notes, hostOf(NOTING)] },
  'transient dependencies of a factory': { providers: [Notes, factoryOf(NOTING)] },
  durable: {
    providers: [hostOf({ durable: true, guard: DurableGuard })],
    optionsOf: (index) => ({ request: { tenant: TENANTS[index % 3] } }),
    strategy: byTenant() as ContextIdStrategy,
  },
  streams: { providers: [hostOf({ body: streamInTurn })], way: byStream },
  retry: {
    providers: [
      hostOf({ body: failOnce, tool: { idempotent: true, retry: { times: 1, delay: 1 } } }),
    ],
  },
  gate: {
    providers: [hostOf({ body: countRunning, tool: { concurrency: { limit: 10, queue: 100 } } })],
  },
  signal: {
    providers: [hostOf({ body: listen })],
    optionsOf: () => ({ request: {}, signal: shared.signal }),
  },
  timeout: { providers: [hostOf({ body: hang, tool: { timeout: 20 } })] },
  failures: {
    providers: [
      hostOf({
        body: () => {
          throw new Error('broken');
        },
      }),
    ],
    optionsOf: (index) => ({ request: { denied: index % 4 < 2 } }),
  },
  leak: { providers: [hostOf({ body: (call) => void kept.push(call) })] },
};

/** Listeners that calls have left on the signal which all of them share. */
export function listenersLeft(): number {
  return getEventListeners(shared.signal, 'abort').length;
}
