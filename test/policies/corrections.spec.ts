import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ForbiddenException,
  UnprocessableEntityException,
  UseGuards,
} from '@nestjs/common';
import { ToolFailedException, ToolRetryException, type AgentRunOptions } from 'nestjs-agent-tools';
import type { ScriptedTurn } from 'nestjs-agent-tools/testing';
import { resultsOf } from '../loop/support/messages.js';
import { start } from './support/start.js';
import { counting, failing, toolOf, type Work } from './support/tool-of.js';

const FOREVER: AgentRunOptions = { limits: { failedSteps: 99, steps: 30 } };
const WORK = { tool: 'work' };
const RETRY = new ToolRetryException('Another way.');

const times = <T>(count: number, turn: T): T[] => Array.from({ length: count }, () => turn);

const notRun = (name: string, count: number) =>
  `Not run: "${name}" was called wrongly ${count} times in a row. Do not call it again; go on without it.`;

/** What the model read, call by call. */
async function readOf(
  turns: readonly ScriptedTurn[],
  providers: ReturnType<typeof toolOf>[],
  options: AgentRunOptions = {},
) {
  const { run } = await start({ providers });
  const limits = { ...FOREVER.limits, ...options.limits };
  const { messages } = await run([...turns, 'Done.'], { ...options, limits });
  return resultsOf(messages).map(({ content }) => content as string);
}

describe('`maxCorrections`', () => {
  it.each<[string, unknown]>([
    ['a ToolRetryException', RETRY],
    ['a 400', new BadRequestException('Another way.')],
    ['a 422', new UnprocessableEntityException('Another way.')],
  ])('counts %s; beyond it the tool is not run', async (_what, error) => {
    const work = counting(failing(error));
    const read = await readOf(times(6, WORK), [toolOf({ maxCorrections: 2 }, work)]);
    expect(work.count).toBe(3);
    expect(read.slice(0, 2)).toEqual(times(2, expect.stringContaining('Another way.')));
    expect(read[2]).toContain('Do not call it again');
    expect(read[2]).not.toContain('Not run');
    expect(read.slice(3)).toEqual(times(3, notRun('work', 3)));
  });

  it.each<[string, unknown]>([
    ['that do not fit', { n: 'many' }],
    ['that cannot be read', 'certainly'],
  ])('counts arguments %s', async (_what, args) => {
    const work = counting();
    const wrong = { tool: 'work', arguments: args };
    const read = await readOf([...times(5, wrong), WORK], [toolOf({ maxCorrections: 2 }, work)]);
    expect(read.slice(0, 2)).toEqual(times(2, expect.stringContaining('cannot be used')));
    expect(read[2]).toContain('Do not call it again');
    expect(read[2]).not.toContain('Not run');
    expect(read.slice(3)).toEqual(times(3, notRun('work', 3)));
    expect(work.count).toBe(0);
  });

  it.each<[string, unknown]>([
    ['an unexpected error', new Error('broken')],
    ['a ToolFailedException', new ToolFailedException('There is none.')],
    ['a denial', new ForbiddenException()],
  ])('does not count %s', async (_what, error) => {
    const work = counting(failing(error));
    await readOf(times(6, WORK), [toolOf({ maxCorrections: 1 }, work)]);
    expect(work.count).toBe(6);
  });

  it('is 3 if nothing is said', async () => {
    const work = counting(failing(RETRY));
    await readOf(times(6, WORK), [toolOf({}, work)]);
    expect(work.count).toBe(4);
  });

  it('may be 0: the first wrong call is the last', async () => {
    const work = counting(failing(RETRY));
    await readOf(times(3, WORK), [toolOf({ maxCorrections: 0 }, work)]);
    expect(work.count).toBe(1);
  });

  it('starts anew with a success', async () => {
    const script = [false, false, true, false, false, true, false, false, false, true];
    let at = 0;
    const work = counting(() => {
      if (!script[at++]) throw RETRY;
      return 'done';
    });
    const read = await readOf(times(10, WORK), [toolOf({ maxCorrections: 2 }, work)]);
    expect(work.count).toBe(9);
    expect(read.at(-1)).toBe(notRun('work', 3));
  });

  it('is not started anew by a success of another tool', async () => {
    const work = counting(failing(RETRY));
    const other = counting();
    const pair = [WORK, { tool: 'other' }];
    await readOf(times(5, pair), [
      toolOf({ maxCorrections: 1 }, work),
      toolOf({ name: 'other' }, other),
    ]);
    expect([work.count, other.count]).toEqual([2, 5]);
  });

  it('is counted for each tool', async () => {
    const one = counting(failing(RETRY));
    const two = counting(failing(RETRY));
    await readOf(times(5, [{ tool: 'one' }, { tool: 'two' }]), [
      toolOf({ name: 'one', maxCorrections: 1 }, one),
      toolOf({ name: 'two', maxCorrections: 3 }, two),
    ]);
    expect([one.count, two.count]).toEqual([2, 4]);
  });

  it('is counted for each run', async () => {
    const work = counting(failing(RETRY));
    const { run } = await start({ providers: [toolOf({ maxCorrections: 1 }, work)] });
    await run([...times(4, WORK), 'Done.'], FOREVER);
    await run([...times(4, WORK), 'Done.'], FOREVER);
    expect(work.count).toBe(4);
  });

  it('is not counted for code', async () => {
    const work = counting(failing(RETRY));
    const { call } = await start({ providers: [toolOf({ maxCorrections: 0 }, work)] });
    for (let n = 0; n < 3; n++) expect((await call('work')).content).toContain('Another way.');
    expect(work.count).toBe(3);
  });

  it('asks no guard any more when it is used up', async () => {
    const provider = toolOf({ maxCorrections: 0 }, failing(RETRY));
    let asked = 0;
    UseGuards({ canActivate: () => Boolean(++asked) })(provider);
    await readOf(times(3, WORK), [provider]);
    expect(asked).toBe(1);
  });

  it.each<[string, Work, unknown]>([
    ['onExecutionError', failing(RETRY), {}],
    ['onArgumentsError', () => 'done', { n: 'many' }],
    ['onArgumentsError', () => 'done', 'certainly'],
  ])('holds though there is an `%s`', async (handler, work, args) => {
    let asked = 0;
    const policy = { [handler]: () => void asked++ };
    const counted = counting(work);
    const read = await readOf(times(6, { tool: 'work', arguments: args }), [
      toolOf({ maxCorrections: 1, ...policy }, counted),
    ]);
    expect(read.at(-1)).toBe(notRun('work', 2));
    expect(counted.count).toBeLessThanOrEqual(2);
    expect(asked).toBeGreaterThan(0);
  });

  it('counts calls of one step one by one', async () => {
    const work = counting(failing(RETRY));
    await readOf([times(4, WORK), WORK, WORK], [toolOf({ maxCorrections: 1 }, work)]);
    // Those of the first step began before any had failed.
    expect(work.count).toBe(4);
  });
});

describe('`limits.unknownTools`', () => {
  const TOIL = { tool: 'toil' };
  const LISTED = 'There is no tool "toil". The tools are: work.';
  const BARE = 'There is no tool "toil". Call only tools that are listed, or answer without them.';

  it.each([
    [undefined, 3],
    [1, 1],
    [0, 0],
    [5, 5],
  ])('of %s: so many calls of invented tools are told the names', async (unknownTools, count) => {
    const read = await readOf(times(6, TOIL), [toolOf({}, () => 1)], { limits: { unknownTools } });
    expect(read).toEqual([...times(count, LISTED), ...times(6 - count, BARE)]);
  });

  it('counts all names together, in their order, also in one step', async () => {
    const step = [TOIL, { tool: 'slog' }, TOIL];
    const read = await readOf([step], [toolOf({}, () => 1)], { limits: { unknownTools: 2 } });
    expect(read.map((text) => text.includes('work'))).toEqual([true, true, false]);
  });

  it('is the run’s, else the agent’s, else the module’s', async () => {
    const limitsOf = (unknownTools: number) => ({ ...FOREVER.limits, unknownTools });
    const listed = async (module?: number, agent?: number, ofRun?: number) => {
      const { run } = await start({
        providers: [toolOf({}, () => 1)],
        module: { limits: module === undefined ? FOREVER.limits : limitsOf(module) },
        agent: { limits: agent === undefined ? {} : limitsOf(agent) },
      });
      const limits = ofRun === undefined ? {} : { unknownTools: ofRun };
      const { messages } = await run([...times(6, TOIL), 'Done.'], { limits });
      return resultsOf(messages).filter(({ content }) => content === LISTED).length;
    };
    expect(await listed(4, 2, 1)).toBe(1);
    expect(await listed(4, 2)).toBe(2);
    expect(await listed(4)).toBe(4);
    expect(await listed()).toBe(3);
  });

  it('is not started anew by a success', async () => {
    const read = await readOf([TOIL, WORK, TOIL], [toolOf({}, () => 'done')], {
      limits: { unknownTools: 1 },
    });
    expect(read).toEqual([LISTED, 'done', BARE]);
  });

  it('does not touch what is left of the tools', async () => {
    const work = counting(failing(RETRY));
    await readOf([...times(5, TOIL), ...times(4, WORK)], [toolOf({ maxCorrections: 1 }, work)]);
    expect(work.count).toBe(2);
  });

  it('is not touched by wrong calls of tools', async () => {
    const provider = toolOf({}, failing(RETRY));
    const read = await readOf([...times(5, WORK), TOIL], [provider], {
      limits: { unknownTools: 1 },
    });
    expect(read.at(-1)).toBe(LISTED);
  });

  it('still gives the handler all names', async () => {
    const seen: (readonly string[])[] = [];
    await readOf(times(2, TOIL), [toolOf({}, () => 1)], {
      limits: { unknownTools: 0 },
      toolOverrides: { onUnknownTool: (_call, names) => void seen.push(names) },
    });
    expect(seen).toEqual([['work'], ['work']]);
  });
});
