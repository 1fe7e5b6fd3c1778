import { expect } from '@jest/globals';
import {
  AgentRunException,
  type AgentEvent,
  type AgentResult,
  type AgentRunOptions,
  type AgentService,
} from 'nestjs-agent-tools';
import { only, readAll } from './events.js';
import { callsOf, expectSendable } from './messages.js';
import { abortListeners, idle } from './time.js';

/** How a run ended: with a result, or with the exception and what it carries. */
export type Outcome = Pick<AgentResult, 'messages' | 'steps' | 'text' | 'usage'> & {
  readonly status: AgentResult['status'] | 'failed';
  readonly finishReason?: AgentResult['finishReason'];
  readonly error?: AgentRunException;
};

export function outcomeOf(ended: AgentResult | AgentRunException): Outcome {
  return ended instanceof AgentRunException
    ? { ...ended.partial, status: 'failed', error: ended }
    : ended;
}

/** Runs with `run()` and checks what must be true of every run. */
export async function runToEnd(
  agent: AgentService,
  options: AgentRunOptions = {},
): Promise<Outcome> {
  const { signal } = new AbortController();
  const ended = await agent.run('Go.', { signal, ...options }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(AgentRunException);
    return error as AgentRunException;
  });
  const outcome = outcomeOf(ended);
  expectInvariants(outcome, options.signal ?? signal);
  await idle();
  return outcome;
}

/** Runs with `stream()`, reads it to its end and checks what must be true of every run. */
export async function streamToEnd(
  agent: AgentService,
  options: AgentRunOptions = {},
): Promise<Outcome & { events: AgentEvent[] }> {
  const { signal } = new AbortController();
  const stream = agent.stream('Go.', { signal, ...options });
  const { events, error } = await readAll(stream);
  const outcome = outcomeOf((error as AgentRunException | undefined) ?? (await stream.result));
  expectInvariants(outcome, options.signal ?? signal);
  expectEvents(events, outcome);
  await idle();
  return { ...outcome, events };
}

export function expectInvariants({ messages, steps }: Outcome, signal: AbortSignal): void {
  expectSendable(messages);
  const results = steps.flatMap(({ toolResults }) => toolResults.map(({ callId }) => callId));
  expect(results).toEqual(callsOf(messages).map(({ id }) => id));
  expect(abortListeners(signal)).toBe(0);
}

/** One terminal event, the last; one result for each call that was announced. */
export function expectEvents(events: readonly AgentEvent[], { status, error }: Outcome): void {
  const terminal = events.filter(({ type }) => type === 'run-finished' || type === 'run-failed');
  expect(terminal).toEqual(events.slice(-1));
  if (status === 'failed') expect(terminal).toMatchObject([{ type: 'run-failed', error }]);
  else expect(terminal).toMatchObject([{ type: 'run-finished', result: { status } }]);
  expect(events[0].type).toBe('run-started');
  const called = only(events, 'tool-call').map(({ callId }) => callId);
  const ended = only(events, 'tool-result').map(({ callId }) => callId);
  expect(ended.toSorted()).toEqual(called.toSorted());
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
}
