import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenException,
  NotFoundException,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import {
  ToolFailedException,
  ToolResult,
  ToolRetryException,
  type FailedToolCall,
  type SharedToolPolicy,
  type ToolErrorHandler,
} from 'nestjs-agent-tools';
import { start } from './support/start.js';
import { counting, failing, toolOf } from './support/tool-of.js';

interface Told {
  readonly error: unknown;
  readonly call: FailedToolCall;
}

/** A handler that keeps what it was told. */
function recording(answer?: Awaited<ReturnType<ToolErrorHandler>>) {
  const told: Told[] = [];
  const handler: ToolErrorHandler = (error, call) => {
    told.push({ error, call });
    return answer;
  };
  return { told, handler };
}

type Kind = 'onArgumentsError' | 'onExecutionError' | 'onUnknownTool';

/** A call that ends with each handler, and the text that stands if it says nothing. */
const KINDS: readonly [Kind, { tool: string; arguments?: unknown }, string][] = [
  ['onArgumentsError', { tool: 'work', arguments: { n: 'many' } }, 'cannot be used'],
  ['onArgumentsError', { tool: 'work', arguments: 'certainly' }, 'cannot be used'],
  ['onExecutionError', { tool: 'work' }, 'failed unexpectedly'],
  ['onUnknownTool', { tool: 'toil' }, 'There is no tool "toil"'],
];

async function answerTo(policy: SharedToolPolicy, call: { tool: string; arguments?: unknown }) {
  const work = counting(failing(new Error('secret')));
  const { step } = await start({ providers: [toolOf({}, work)], module: { toolDefaults: policy } });
  const [result] = await step(call);
  expect(result.status).toBe('error');
  return result.content;
}

describe.each(KINDS)('`%s`, for %j', (kind, call, standard) => {
  it.each<[string, Awaited<ReturnType<ToolErrorHandler>>, unknown]>([
    ['a text', 'Ask me instead.', 'Ask me instead.'],
    ['an empty text', '', '(no output)'],
    ['a ToolResult', new ToolResult('Look.'), 'Look.'],
    [
      'a ToolResult with parts',
      new ToolResult([{ type: 'text', text: 'Look.' }]),
      [{ type: 'text', text: 'Look.' }],
    ],
  ])('may answer %s, and the call stays an error', async (_what, answer, content) => {
    expect(await answerTo({ [kind]: () => answer }, call)).toEqual(content);
    expect(await answerTo({ [kind]: () => Promise.resolve(answer) }, call)).toEqual(content);
  });

  it('leaves the standard text if it answers nothing', async () => {
    const usual = await answerTo({}, call);
    expect(usual).toContain(standard);
    const left = await answerTo({ [kind]: async () => Promise.resolve() }, call);
    expect(String(left).replace(/id \w+/, '')).toBe(String(usual).replace(/id \w+/, ''));
  });

  it.each<[string, (error: Error) => never | Promise<never>]>([
    [
      'throws',
      (error) => {
        throw error;
      },
    ],
    ['rejects', (error) => Promise.reject(error)],
  ])('ends the run if it %s', async (_how, give) => {
    const cause = new Error('stop');
    const work = counting(failing(new Error('secret')));
    const { run, stream } = await start({
      providers: [toolOf({}, work)],
      agent: { toolDefaults: { [kind]: () => give(cause) } },
    });
    for (const ended of [await run([call]), await stream([call])]) {
      expect(ended.status).toBe('failed');
      expect(ended.error?.cause).toBe(cause);
      expect(ended.steps[0].toolResults.map(({ status }) => status)).toEqual(['error']);
      expect(JSON.stringify(ended.messages)).not.toContain('stop');
    }
  });

  it('rejects the call of code if it throws, with what it threw', async () => {
    const cause = { any: 'thing' };
    const { call: execute } = await start({
      providers: [toolOf({}, failing(new Error('secret')))],
      module: {
        toolDefaults: {
          [kind]: () => {
            throw cause as unknown as Error;
          },
        },
      },
    });
    await expect(execute(call.tool, call.arguments)).rejects.toBe(cause);
  });

  it('does not hold up a run that is over if it never answers', async () => {
    const { run } = await start({
      providers: [toolOf({}, failing(new Error('secret')))],
      agent: { toolDefaults: { [kind]: () => new Promise(() => undefined) } },
    });
    const ended = await run([call], { limits: { timeout: 20 } });
    expect(ended.status).toBe('aborted');
  }, 3_000);

  it('is told of the call, and gets neither the request nor the context of the run', async () => {
    const { told, handler } = recording();
    const context: object = { key: 'token' };
    const onUnknown = (failed: FailedToolCall) => handler(undefined, failed);
    const { run } = await start({
      providers: [toolOf({}, failing(new Error('secret')))],
      agent: { toolDefaults: { [kind]: kind === 'onUnknownTool' ? onUnknown : handler } },
    });
    const { messages } = await run([call, 'Done.'], {
      request: { authorization: 'token' },
      context,
    });
    expect(told).toHaveLength(1);
    const [{ call: failed }] = told;
    expect(Object.keys(failed).toSorted()).toEqual(['callId', 'input', 'name', 'runId', 'step']);
    expect(failed).toMatchObject({ name: call.tool, step: 1 });
    expect(JSON.stringify(messages)).toContain(failed.callId);
    expect(JSON.stringify(failed)).not.toContain('token');
  });
});

describe('`onExecutionError`', () => {
  it.each([
    ['a plain error', new Error('no')],
    ['a ToolFailedException', new ToolFailedException('no')],
    ['a ToolRetryException', new ToolRetryException('no')],
    ['a 404', new NotFoundException()],
    ['a text', 'no'],
  ])('is told of %s', async (_what, error) => {
    const { told, handler } = recording('Told.');
    const provider = toolOf({ onExecutionError: handler }, failing(error));
    const { call } = await start({ providers: [provider] });
    expect(await call('work', { n: 1 })).toMatchObject({
      status: 'error',
      content: 'Told.',
      error,
    });
    expect(told.map((one) => one.error)).toEqual([error]);
    expect(told[0].call.input).toEqual({ n: 1 });
  });

  it.each([
    ['a 401', new UnauthorizedException()],
    ['a 403', new ForbiddenException()],
  ])('is never told of %s', async (_what, error) => {
    const { told, handler } = recording('Told.');
    const policy = { onExecutionError: handler, onArgumentsError: handler };
    const { call } = await start({ providers: [toolOf(policy, failing(error))] });
    expect((await call('work')).status).toBe('denied');
    expect(told).toEqual([]);
  });

  it('is never told that a guard or `approve` said no', async () => {
    const { told, handler } = recording('Told.');
    const work = counting();
    const guarded = toolOf({ name: 'guarded', onExecutionError: handler }, work);
    UseGuards({ canActivate: () => false })(guarded);
    const unapproved = toolOf({ onExecutionError: handler, approve: () => false }, work);
    const { call } = await start({ providers: [guarded, unapproved] });
    expect((await call('guarded')).status).toBe('denied');
    expect((await call('work')).status).toBe('denied');
    expect([told, work.count]).toEqual([[], 0]);
  });

  it('is told once of a repeated call, when it is given up', async () => {
    const { told, handler } = recording();
    const work = counting((_input, { attempt }) => {
      throw new Error(`no ${attempt}`);
    });
    const policy = { retry: { times: 2, delay: 0 }, onExecutionError: handler };
    const { call } = await start({ providers: [toolOf({ effect: 'read', ...policy }, work)] });
    await call('work');
    expect(work.count).toBe(3);
    expect(told.map(({ error }) => error)).toEqual([new Error('no 3')]);
  });

  it('is not told of arguments, nor of a success', async () => {
    const { told, handler } = recording();
    const { call } = await start({ providers: [toolOf({ onExecutionError: handler }, () => 1)] });
    await call('work');
    await call('work', { n: 'many' });
    expect(told).toEqual([]);
  });
});

describe('`onArgumentsError`', () => {
  it('gets what could be read, and undefined if nothing could', async () => {
    const { told, handler } = recording();
    const work = counting();
    const { call } = await start({ providers: [toolOf({ onArgumentsError: handler }, work)] });
    await call('work', { n: 'many' });
    await call('work', 'certainly');
    expect(told.map(({ call: { input } }) => input)).toEqual([{ n: 'many' }, undefined]);
    expect(work.count).toBe(0);
  });

  it('does not get the value of a secret with the error', async () => {
    const { told, handler } = recording();
    const { call } = await start({ providers: [toolOf({ onArgumentsError: handler }, () => 1)] });
    await call('work', { password: 'hunter2' });
    const [{ error }] = told;
    expect(String((error as Error).message)).toContain('password');
    expect(String((error as Error).message)).not.toContain('hunter2');
  });

  it('is not asked if a guard says no first', async () => {
    const { told, handler } = recording();
    const provider = toolOf({ onArgumentsError: handler }, () => 1);
    UseGuards({ canActivate: () => false })(provider);
    const { call } = await start({ providers: [provider] });
    expect((await call('work', { n: 'many' })).status).toBe('denied');
    expect(told).toEqual([]);
  });
});

describe('`onUnknownTool`', () => {
  it('gets the names of the tools that the run has, and is asked about hidden ones', async () => {
    const seen: [string, readonly string[]][] = [];
    const { step } = await start({
      providers: ['one', 'two', 'hidden'].map((name) => toolOf({ name }, () => 1)),
    });
    const [{ content }] = await step(
      { tool: 'hidden', arguments: { n: 1 } },
      {
        tools: ['one', 'two'],
        toolOverrides: { onUnknownTool: ({ name }, names) => void seen.push([name, names]) },
      },
    );
    expect(seen).toEqual([['hidden', ['one', 'two']]]);
    expect(content).toContain('one, two');
  });
});
