import { describe, expect, it } from '@jest/globals';
import { UseGuards } from '@nestjs/common';
import { ToolRetryException, type AgentLimits } from 'nestjs-agent-tools';
import type { ScriptedTurn } from 'nestjs-agent-tools/testing';
import { sleep } from '../loop/support/time.js';
import { start, type Setup } from './support/start.js';
import { failing, toolOf } from './support/tool-of.js';

const FAIL = { tool: 'fail' };
const WORK = { tool: 'work' };

const times = (count: number, turn: ScriptedTurn): ScriptedTurn[] =>
  Array.from({ length: count }, () => turn);

function startTools(limits: { module?: AgentLimits; agent?: AgentLimits } = {}) {
  const denied = toolOf({ name: 'denied' }, () => 'never');
  UseGuards({ canActivate: () => false })(denied);
  const setup: Setup = {
    providers: [
      toolOf({}, () => 'done'),
      toolOf({ name: 'fail', errors: 'message' }, failing(new Error('The stock is away.'))),
      toolOf({ name: 'correct', maxCorrections: 0 }, failing(new ToolRetryException('No.'))),
      denied,
    ],
    module: { limits: limits.module },
    agent: { limits: limits.agent },
  };
  return start(setup);
}

async function stepsOf(turns: readonly ScriptedTurn[], limits?: AgentLimits) {
  const { run } = await startTools();
  const { status, steps, error } = await run([...turns, 'Done.'], { limits });
  return { status, steps: steps.length, message: error?.message };
}

describe('`limits.failedSteps`', () => {
  it.each<[string, ScriptedTurn]>([
    ['fail', FAIL],
    ['are denied', { tool: 'denied' }],
    ['name invented tools', { tool: 'toil' }],
    ['have wrong arguments', { tool: 'work', arguments: { n: 'many' } }],
    ['cannot be read', { tool: 'work', arguments: 'certainly' }],
    ['are used up', { tool: 'correct' }],
    ['fail in several ways', [FAIL, { tool: 'denied' }, { tool: 'toil' }]],
  ])('ends a run with the third step in a row whose calls %s', async (_how, turn) => {
    const { status, steps, message } = await stepsOf(times(5, turn));
    expect({ status, steps }).toEqual({ status: 'failed', steps: 3 });
    expect(message).toContain('`limits.failedSteps`');
    expect(message).toContain('3 steps in a row');
  });

  it('says which call was the last, and what it said', async () => {
    const { run, stream } = await startTools();
    for (const ended of [await run(times(3, FAIL)), await stream(times(3, FAIL))]) {
      expect(ended.error?.message).toContain('"fail"');
      expect(ended.error?.message).toContain('The stock is away.');
      expect(ended.messages).toHaveLength(6);
    }
  });

  it.each([1, 2, 5])('may be %i', async (failedSteps) => {
    const { steps, message } = await stepsOf(times(6, FAIL), { failedSteps });
    expect(steps).toBe(failedSteps);
    expect(message).toContain(`${failedSteps} steps in a row`);
  });

  it('is the run’s, else the agent’s, else the module’s', async () => {
    const [run, agent, module] = [1, 2, 4].map((failedSteps) => ({ failedSteps }));
    const rounds = async (limits: Parameters<typeof startTools>[0], ofRun?: AgentLimits) => {
      const started = await startTools(limits);
      return (await started.run([...times(6, FAIL), 'Done.'], { limits: ofRun })).steps.length;
    };
    expect(await rounds({ agent, module }, run)).toBe(1);
    expect(await rounds({ agent, module })).toBe(2);
    expect(await rounds({ module })).toBe(4);
    expect(await rounds({})).toBe(3);
  });

  it('starts anew with a success', async () => {
    const turns = [FAIL, FAIL, WORK, FAIL, FAIL, WORK, FAIL];
    expect(await stepsOf(turns)).toMatchObject({ status: 'completed', steps: 8 });
  });

  it('does not count a step in which some call succeeded', async () => {
    const turns = times(5, [FAIL, WORK, FAIL]);
    expect(await stepsOf(turns)).toMatchObject({ status: 'completed', steps: 6 });
  });

  it('does not take an aborted run for a failed one', async () => {
    const slow = toolOf({ name: 'slow' }, () => sleep(50));
    const { run } = await start({ providers: [slow] });
    const { status } = await run(times(3, { tool: 'slow' }), {
      limits: { failedSteps: 1, timeout: 10 },
    });
    expect(status).toBe('aborted');
  });

  it('is not reached by calls beyond `limits.toolCalls`', async () => {
    const turns = [WORK, ...times(6, WORK)];
    const ended = await stepsOf(turns, { toolCalls: 1 });
    expect(ended).toMatchObject({ status: 'completed', steps: 8 });
  });

  it('is reached with the last call that `limits.toolCalls` allows', async () => {
    const ended = await stepsOf(times(5, FAIL), { toolCalls: 3 });
    expect(ended).toMatchObject({ status: 'failed', steps: 3 });
  });

  it('does not count turns without calls', async () => {
    const turns = [FAIL, FAIL, { text: '' }, WORK];
    expect(await stepsOf(turns)).toMatchObject({ status: 'completed', steps: 5 });
  });

  it('comes before the limit of steps', async () => {
    expect(await stepsOf(times(3, FAIL), { steps: 3 })).toMatchObject({ status: 'failed' });
    expect(await stepsOf(times(2, FAIL), { steps: 2 })).toMatchObject({ status: 'limited' });
  });
});
