import { describe, expect, it, jest } from '@jest/globals';
import {
  ForbiddenException,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import {
  ToolExecutionContext,
  ToolNotApprovedException,
  type ToolApproval,
  type ToolCall,
  type ToolEffect,
} from 'nestjs-agent-tools';
import { retry } from 'rxjs';
import { gate, sleep } from '../loop/support/time.js';
import { start } from './support/start.js';
import { counting, failing, toolOf, type Work } from './support/tool-of.js';

/** As an application may answer that is not written in TypeScript. */
const answering = (answer: unknown): ToolApproval => (() => answer) as unknown as ToolApproval;

async function startAsked(approve: ToolApproval, options: Parameters<typeof toolOf>[0] = {}) {
  const work = counting();
  const started = await start({ providers: [toolOf({ ...options, approve }, work)] });
  return { work, ...started };
}

/** A thenable whose `then` gives nothing back, as those of some older libraries. */
const bareThenable = (answer: unknown) => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then: (resolve: (value: unknown) => void) => void setTimeout(resolve, 2, answer),
});

const NO: readonly [string, unknown][] = [
  ['false', false],
  ['undefined', undefined],
  ['null', null],
  ['0', 0],
  ['1', 1],
  ['"true"', 'true'],
  ['"yes"', 'yes'],
  ['an empty object', {}],
  ['{ approved: true }', { approved: true }],
  ['{ approved: false }', { approved: false }],
  ['new Boolean(true)', Object(true)],
  ['[true]', [true]],
  ['a function', () => true],
  // oxlint-disable-next-line unicorn/no-thenable
  ['a function with `then`', Object.assign(() => true, { then: () => true })],
  ['a promise of false', Promise.resolve(false)],
  ['a promise of undefined', Promise.resolve()],
  ['a promise of 1', Promise.resolve(1)],
  ['a promise of { approved: true }', Promise.resolve({ approved: true })],
  ['a bare thenable of false', bareThenable(false)],
];

describe('the method does not run', () => {
  it.each(NO)('if `approve` answers %s', async (_what, answer) => {
    const { work, call } = await startAsked(answering(answer));
    const { status, content, error } = await call('work', { n: 1 });
    await sleep(5);
    expect(work.count).toBe(0);
    expect(status).toBe('denied');
    expect(content).toBe('Denied: this call of "work" was not approved. Do not repeat it.');
    expect(error).toBeInstanceOf(ToolNotApprovedException);
  });

  it.each<[string, ToolApproval]>([
    ['throws', failing(new Error('no idea')) as unknown as ToolApproval],
    ['rejects', () => Promise.reject(new Error('no idea'))],
  ])('if `approve` %s, which is an error without details', async (_how, approve) => {
    const { work, call } = await startAsked(approve);
    const { status, content } = await call('work');
    expect(work.count).toBe(0);
    expect(status).toBe('error');
    expect(content).not.toContain('no idea');
  });

  it('if `approve` throws a denial, which is one', async () => {
    const approve = failing(new ForbiddenException()) as unknown as ToolApproval;
    const { work, call } = await startAsked(approve);
    expect((await call('work')).status).toBe('denied');
    expect(work.count).toBe(0);
  });

  it('if `approve` never answers', async () => {
    const { work, call } = await startAsked(() => new Promise(() => undefined), { timeout: 15 });
    expect((await call('work')).content).toBe('"work" timed out after 15 ms.');
    expect(work.count).toBe(0);
  });

  it.each([
    ['the call has timed out', { timeout: 10 }, undefined],
    ['the run is over', {}, { limits: { timeout: 10 } }],
  ])('if `approve` says yes when %s', async (_when, options, runOptions) => {
    const { opened: answered, open: answer } = gate();
    const { opened: asked, open: ask } = gate();
    const approve = () => {
      ask();
      return answered.then(() => true);
    };
    const { work, run } = await startAsked(approve, options);
    const running = run([{ tool: 'work' }, 'Done.'], runOptions);
    await asked;
    await sleep(40);
    answer();
    await running;
    await sleep(5);
    expect(work.count).toBe(0);
  });
});

describe('the method runs', () => {
  it.each<[string, unknown]>([
    ['true', true],
    ['a promise of true', Promise.resolve(true)],
    ['a promise that comes later', sleep(3).then(() => true)],
  ])('if `approve` answers %s', async (_what, answer) => {
    const { work, call } = await startAsked(answering(answer));
    expect((await call('work')).status).toBe('success');
    expect(work.count).toBe(1);
  });
});

describe('a default for approval', () => {
  it.each<[ToolEffect | undefined, boolean]>([
    ['destructive', true],
    ['write', false],
    ['read', false],
    [undefined, false],
  ])('is asked for tools with the effect "%s": %s', async (effect, isAsked) => {
    const approve = jest.fn(() => false);
    for (const layer of ['module', 'agent'] as const) {
      approve.mockClear();
      const work = counting();
      const { step } = await start({
        providers: [toolOf({ effect }, work)],
        [layer]: { toolDefaults: { approve } },
      });
      const [{ status }] = await step({ tool: 'work' });
      expect(approve).toHaveBeenCalledTimes(isAsked ? 1 : 0);
      expect(status).toBe(isAsked ? 'denied' : 'success');
      expect(work.count).toBe(isAsked ? 0 : 1);
    }
  });

  it.each<ToolEffect>(['destructive', 'write', 'read'])(
    'of the tool itself is asked for the effect "%s"',
    async (effect) => {
      const { work, call } = await startAsked(() => false, { effect });
      expect((await call('work')).status).toBe('denied');
      expect(work.count).toBe(0);
    },
  );

  it('of a run is asked for every tool: it is no default', async () => {
    const work = counting();
    const { step } = await start({ providers: [toolOf({ effect: 'write' }, work)] });
    const [{ status }] = await step({ tool: 'work' }, { toolOverrides: { approve: () => false } });
    expect(status).toBe('denied');
    expect(work.count).toBe(0);
  });
});

describe('`approve` is asked', () => {
  it('after the guards: a denied caller asks nobody', async () => {
    const approve = jest.fn(() => true);
    const work = counting();
    const provider = toolOf({ approve }, work);
    UseGuards({ canActivate: () => false })(provider);
    const { call } = await start({ providers: [provider] });
    expect((await call('work')).status).toBe('denied');
    expect(approve).not.toHaveBeenCalled();
    expect(work.count).toBe(0);
  });

  it.each([{ n: 'many' }, 'certainly', { n: 1, m: 2, password: 'x' }])(
    'after the validation: nobody is asked about %j',
    async (args) => {
      const approve = jest.fn(() => true);
      const { work, call } = await startAsked(approve);
      expect((await call('work', args)).status).toBe('error');
      expect(approve).not.toHaveBeenCalled();
      expect(work.count).toBe(0);
    },
  );

  it('with the validated input and the context of the call', async () => {
    const seen: unknown[] = [];
    const request = { user: 'ada' };
    const approve = (call: ToolCall, context: ExecutionContext) => {
      const ofTool = ToolExecutionContext.create(context);
      seen.push(call.input, ofTool.getCall() === call, context.switchToHttp().getRequest());
      return true;
    };
    const { call } = await startAsked(approve);
    await call('work', { n: '5' }, { request });
    expect(seen).toEqual([{ n: 5 }, true, request]);
  });

  it('once for each attempt', async () => {
    const attempts: number[] = [];
    const work = counting(failing(new Error('busy')));
    const approve = ({ attempt }: ToolCall) => attempts.push(attempt) > 0;
    const options = { effect: 'read', retry: { times: 2, delay: 0 }, approve } as const;
    const { call } = await start({ providers: [toolOf(options, work)] });
    await call('work');
    expect(attempts).toEqual([1, 2, 3]);
    expect(work.count).toBe(3);
  });

  it('and may say no to a later attempt', async () => {
    const work = counting(failing(new Error('busy')));
    const approve = ({ attempt }: ToolCall) => attempt === 1;
    const options = { effect: 'read', retry: { times: 5, delay: 0 }, approve } as const;
    const { call } = await start({ providers: [toolOf(options, work)] });
    expect((await call('work')).status).toBe('denied');
    expect(work.count).toBe(1);
  });

  it('again if an interceptor repeats the call: no method runs without a yes', async () => {
    let asked = 0;
    const work = counting(failing(new Error('busy')));
    const provider = toolOf({ approve: () => ++asked < 3 }, work);
    UseInterceptors({
      intercept: (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(retry(5)),
    })(provider);
    const { call } = await start({ providers: [provider] });
    await call('work');
    expect(work.count).toBe(2);
  });

  it('for each call of a step', async () => {
    const asked: unknown[] = [];
    const { work, step } = await startAsked(({ input }) => {
      asked.push(input);
      return (input as { n: number }).n % 2 === 0;
    });
    const results = await step([1, 2, 3, 4].map((n) => ({ tool: 'work', arguments: { n } })));
    expect(results.map(({ status }) => status)).toEqual(['denied', 'success', 'denied', 'success']);
    expect(asked).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    expect(work.count).toBe(2);
  });
});

describe('input that `approve` changes', () => {
  const seeing =
    (seen: unknown[]): Work =>
    (input) => {
      seen.push(input);
      return 'done';
    };

  async function runWith(change: (call: ToolCall) => void, isLater: boolean) {
    const seen: unknown[] = [];
    const approve: ToolApproval = (call) => {
      change(call);
      return isLater ? sleep(1).then(() => true) : true;
    };
    const { call } = await start({ providers: [toolOf({ approve }, seeing(seen))] });
    return { seen, ...(await call('work', { n: 1 })) };
  }

  describe.each([false, true])('(answering later: %s)', (isLater) => {
    it('is what the method gets', async () => {
      const { seen, status } = await runWith((call) => (call.input = { n: 2 }), isLater);
      expect(status).toBe('success');
      expect(seen).toEqual([{ n: 2 }]);
    });

    it('is validated, as what the model sends', async () => {
      const { seen, status } = await runWith((call) => (call.input = { n: 'many' }), isLater);
      expect(status).toBe('error');
      expect(seen).toEqual([]);
    });

    it('is validated if it is changed in its place, too', async () => {
      const change = ({ input }: ToolCall) => Object.assign(input as object, { n: 'many' });
      const { seen, status } = await runWith(change, isLater);
      expect(seen).toEqual([]);
      expect(status).toBe('error');
    });
  });
});
