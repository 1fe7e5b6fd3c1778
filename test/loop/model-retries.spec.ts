import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentEvents,
  AgentService,
  ChatModelException,
  withRetries,
  type AgentEvent,
  type ChatDelta,
  type ChatModel,
  type ChatRetryPolicy,
  type RuntimeEvent,
} from 'nestjs-agent-tools';
import { createApp } from '../support/app.js';

const BUSY = new ChatModelException('busy', { status: 503, retryable: true });

/** Fails once, after the text `Hal` if it is streamed. */
function flaky(): ChatModel {
  let asked = 0;
  return {
    name: 'flaky',
    generate: async () => {
      if (++asked === 1) throw BUSY;
      return { content: [{ type: 'text', text: 'Hello' }], finishReason: 'stop' };
    },
    async *stream(): AsyncGenerator<ChatDelta> {
      if (++asked === 1) {
        yield { type: 'text', text: 'Hal' };
        throw BUSY;
      }
      yield { type: 'text', text: 'Hello' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

let app: TestingModule;
afterEach(() => app?.close());

async function start(policy: ChatRetryPolicy): Promise<AgentService> {
  app = await createApp({}, { model: withRetries(flaky(), { delay: 1, ...policy }) });
  return app.get(AgentService);
}

async function read(agent: AgentService): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.stream('Hi')) events.push(event);
  return events;
}

describe('a request to the model that is repeated', () => {
  it('is an event of the application', async () => {
    const agent = await start({});
    const seen: RuntimeEvent[] = [];
    const subscription = app.get(AgentEvents).subscribe((event) => seen.push(event));
    expect((await agent.run('Hi')).text).toBe('Hello');
    subscription.unsubscribe();
    expect(seen.filter(({ type }) => type === 'model-retried')).toEqual([
      expect.objectContaining({ model: 'flaky', attempt: 1, error: BUSY, restarted: false }),
    ]);
  });

  it('is an event of the stream, and voids what came if that was asked for', async () => {
    const events = await read(await start({ restart: true }));
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'step-started',
      'text-delta',
      'model-retried',
      'text-delta',
      'step-finished',
      'run-finished',
    ]);
    expect(events[3]).toMatchObject({ step: 1, attempt: 1, restarted: true, error: BUSY });
    expect(events.at(-1)).toMatchObject({ result: { text: 'Hello' } });
  });

  it('tells a browser no more than that its text is void', async () => {
    const agent = await start({ restart: true });
    const sent: unknown[] = [];
    await agent
      .stream('Hi')
      .toSse()
      .forEach((event) => sent.push(event));
    expect(sent[3]).toEqual({
      type: 'model-retried',
      data: { runId: expect.any(String), step: 1, restarted: true },
    });
    expect(JSON.stringify(sent)).not.toContain('busy');
  });

  it('is not made after the first piece, unless that was asked for', async () => {
    const agent = await start({});
    await expect(read(agent)).rejects.toThrow('busy');
  });

  it('leaves nothing of what is void in a run that fails later', async () => {
    const model: ChatModel = {
      name: 'broken',
      generate: () => Promise.reject(BUSY),
      async *stream(): AsyncGenerator<ChatDelta> {
        yield { type: 'text', text: 'Hal' };
        throw BUSY;
      },
    };
    app = await createApp({}, { model: withRetries(model, { delay: 1, restart: true }) });
    const { result } = app.get(AgentService).stream('Hi');
    await expect(result).rejects.toMatchObject({ partial: { text: 'Hal' } });
  });
});
