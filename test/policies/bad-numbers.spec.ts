import { describe, expect, it } from '@jest/globals';
import {
  AgentService,
  ToolRegistry,
  type AgentLimits,
  type ToolConcurrency,
  type ToolPolicy,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { start, startError } from './support/start.js';
import { counting, toolOf } from './support/tool-of.js';

const HOUR = 3_600_000;

/** What nobody means, with the name by which the error calls it. */
const BAD: readonly [string, ToolPolicy][] = [
  ['timeout: NaN', { timeout: NaN }],
  ['timeout: 0', { timeout: 0 }],
  ['timeout: -1', { timeout: -1 }],
  [`timeout: ${HOUR + 1}`, { timeout: HOUR + 1 }],
  ['timeout: Infinity', { timeout: Infinity }],
  ['retry: NaN', { retry: NaN }],
  ['retry: -1', { retry: -1 }],
  ['retry: 11', { retry: 11 }],
  ['retry: Infinity', { retry: Infinity }],
  ['retry.times: NaN', { retry: { times: NaN } }],
  ['retry.times: 11', { retry: { times: 11 } }],
  ['retry.delay: -1', { retry: { times: 1, delay: -1 } }],
  ['retry.delay: NaN', { retry: { times: 1, delay: NaN } }],
  [`retry.delay: ${HOUR + 1}`, { retry: { times: 1, delay: HOUR + 1 } }],
  ['retry.maxDelay: NaN', { retry: { times: 1, maxDelay: NaN } }],
  ['retry.maxDelay: -1', { retry: { times: 1, maxDelay: -1 } }],
  ['maxResultLength: NaN', { maxResultLength: NaN }],
  ['maxResultLength: 0', { maxResultLength: 0 }],
  ['maxResultLength: -5', { maxResultLength: -5 }],
  ['maxCorrections: NaN', { maxCorrections: NaN }],
  ['maxCorrections: -1', { maxCorrections: -1 }],
];

/** What a configuration gives that was typed as a number and is read as a text. */
const TEXTS: readonly [string, object][] = [
  ['timeout', { timeout: '5000' }],
  ['retry', { retry: '2' }],
  ['maxResultLength', { maxResultLength: '100' }],
  ['maxCorrections', { maxCorrections: '2' }],
];

const GOOD: readonly ToolPolicy[] = [
  { timeout: 1 },
  { timeout: HOUR },
  { retry: 0 },
  { retry: 10 },
  { retry: { times: 1, delay: 0, maxDelay: 0 } },
  { maxResultLength: 1 },
  { maxCorrections: 0 },
];

const BAD_CONCURRENCY: readonly [string, ToolConcurrency][] = [
  ['concurrency: NaN', NaN],
  ['concurrency: 0', 0],
  ['concurrency: -1', -1],
  ['concurrency: 1.5', 1.5],
  ['concurrency.limit: NaN', { limit: NaN }],
  ['concurrency.limit: 0', { limit: 0 }],
  ['concurrency.queue: -1', { limit: 1, queue: -1 }],
  ['concurrency.queue: NaN', { limit: 1, queue: NaN }],
];

const readTool = (policy: ToolPolicy & { concurrency?: ToolConcurrency }) =>
  toolOf({ effect: 'read', ...policy }, () => 'done');

describe('the application does not start', () => {
  it.each(BAD)('with a tool that has `%s`', async (option, policy) => {
    const message = await startError({ providers: [readTool(policy)] });
    expect(message).toContain(`The tool has \`${option}\``);
    expect(message).toContain('WorkTools.work');
  });

  it.each(TEXTS)('with a `%s` that is a text', async (option, policy) => {
    const message = await startError({ providers: [readTool(policy)] });
    expect(message).toContain(`The tool has \`${option}`);
    expect(await startError({ module: { toolDefaults: policy } })).toContain(option);
  });

  it.each(BAD)('with `toolDefaults` of the module that have `%s`', async (option, policy) => {
    const message = await startError({ module: { toolDefaults: policy } });
    expect(message).toContain(`The \`toolDefaults\` of AgentToolsModule has \`${option}\``);
  });

  it.each(BAD)('with `toolDefaults` of an agent that have `%s`', async (option, policy) => {
    const message = await startError({ agent: { toolDefaults: policy } });
    expect(message).toContain(`The \`toolDefaults\` of Agent "desk" has \`${option}\``);
  });

  it.each(BAD_CONCURRENCY)('with a tool that has `%s`', async (option, concurrency) => {
    const message = await startError({ providers: [readTool({ concurrency })] });
    expect(message).toContain(`The tool has \`${option}\``);
  });

  it.each(BAD_CONCURRENCY)('with `toolDefaults` that have `%s`', async (option, concurrency) => {
    const message = await startError({ module: { toolDefaults: { concurrency } } });
    expect(message).toContain(`The \`toolDefaults\` of AgentToolsModule has \`${option}\``);
  });

  it.each(BAD_CONCURRENCY)('if `toolConcurrency` is that of `%s`', async (option, concurrency) => {
    const message = await startError({ module: { toolConcurrency: concurrency } });
    const named = option.replace('concurrency', 'toolConcurrency');
    expect(message).toContain(`AgentToolsModule has \`${named}\``);
  });

  it.each<[string, Partial<AgentLimits>]>([
    ['failedSteps: 0', { failedSteps: 0 }],
    ['failedSteps: NaN', { failedSteps: NaN }],
    ['unknownTools: -1', { unknownTools: -1 }],
    ['unknownTools: NaN', { unknownTools: NaN }],
  ])('with the limit `%s`, of an agent or the module', async (option, limits) => {
    expect(await startError({ agent: { limits } })).toContain(
      `Agent "desk" has the limit \`${option}\``,
    );
    expect(await startError({ module: { limits } })).toContain(
      `AgentToolsModule has the limit \`${option}\``,
    );
  });
});

describe('the application starts', () => {
  it.each(GOOD.map((policy) => [JSON.stringify(policy), policy] as const))(
    'with %s, wherever it stands',
    async (_text, policy) => {
      const { run } = await start({
        providers: [readTool(policy)],
        module: { toolDefaults: policy },
        agent: { toolDefaults: policy },
      });
      const { status } = await run([{ tool: 'work' }, 'Done.'], { toolOverrides: policy });
      expect(status).toBe('completed');
    },
  );
});

describe('a run does not begin', () => {
  it.each(BAD)('with `toolOverrides` that have `%s`', async (option, toolOverrides) => {
    const work = counting();
    const { agent } = await start({ providers: [toolOf({ effect: 'read' }, work)] });
    const model = scripted([{ tool: 'work' }, 'Done.']);
    const message = `The \`toolOverrides\` of this run has \`${option}\``;
    await expect(agent.run('Go.', { model, toolOverrides })).rejects.toThrow(message);
    expect(() => agent.stream('Go.', { model, toolOverrides })).toThrow(message);
    expect(model.requests).toEqual([]);
    expect(work.count).toBe(0);
  });

  it('of the default agent either', async () => {
    const { app } = await start({});
    await expect(
      app.get(AgentService).run('Go.', { toolOverrides: { timeout: NaN }, model: scripted([]) }),
    ).rejects.toThrow('`timeout: NaN`');
  });
});

describe('a tool is not registered at run time', () => {
  it.each(BAD.slice(0, 6))('with `%s`', async (option, policy) => {
    const { app } = await start({});
    const registry = app.get(ToolRegistry);
    const tool = { name: 'late', description: 'Comes late.', execute: () => 'done' };
    await expect(registry.register({ ...tool, effect: 'read', ...policy })).rejects.toThrow(option);
    expect(registry.list()).toEqual([]);
  });
});
