/** Ways to call the one tool of an application very often. */
import type { TestingModule } from '@nestjs/testing';
import { AgentService, ToolExecutor, type ChatModel } from 'nestjs-agent-tools';
import { generating, streaming } from '../../loop/support/models.js';
import { collectGarbage } from './garbage.js';

export interface CallOptions {
  readonly request: object;
  readonly signal?: AbortSignal;
}

/** Makes one call and gives the status of its result. */
export type Way = (app: TestingModule, options: CallOptions, index: number) => Promise<string>;

const ARGUMENTS = '{"orderNo":"A-1"}';
const AT_ONCE = 100;

/** Asks for one call in each run, and keeps nothing, as a scripted model would. */
const model: ChatModel = generating(({ messages }) =>
  Promise.resolve(
    messages.at(-1)?.role === 'user'
      ? {
          content: [{ type: 'tool-call', id: 'call_1', name: 'work', arguments: ARGUMENTS }],
          finishReason: 'tool-calls',
        }
      : { content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' },
  ),
);

/** The same in pieces. */
const streamed: ChatModel = streaming(async function* (request, options) {
  const { content, finishReason } = await model.generate(request, options);
  yield* content;
  yield { type: 'finish', reason: finishReason };
});

export const byExecutor: Way = async (app, options) =>
  (await app.get(ToolExecutor).execute('work', ARGUMENTS, options)).status;

export const byAgent: Way = async (app, options) => {
  const { steps } = await app.get(AgentService).run('Go.', { ...options, model });
  return steps[0].toolResults[0].status;
};

/** Reads a run event by event, or calls without one. */
export const byStream: Way = async (app, options, index) => {
  if (index % 2 === 0) return byExecutor(app, options, index);
  let status = 'none';
  for await (const event of app.get(AgentService).stream('Go.', { ...options, model: streamed })) {
    if (event.type === 'tool-result') status = event.status;
  }
  return status;
};

export const inTurn: Way = (app, options, index) =>
  (index % 2 === 0 ? byExecutor : byAgent)(app, options, index);

/**
 * Makes so many calls, 100 at a time.
 *
 * @param perCollection after how many to collect garbage: the table of a WeakMap stays as large as it
 * once was, so it must never hold more than it did in the warm-up
 * @returns how many ended with each status
 */
export async function drive(
  way: Way,
  app: TestingModule,
  count: number,
  perCollection: number,
  optionsOf: (index: number) => CallOptions,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (let made = 0; made < count; made += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, (_, at) =>
      way(app, optionsOf(made + at), made + at),
    );
    for (const status of await Promise.all(calls)) statuses[status] = (statuses[status] ?? 0) + 1;
    if ((made + AT_ONCE) % perCollection === 0) await collectGarbage();
  }
  return statuses;
}
