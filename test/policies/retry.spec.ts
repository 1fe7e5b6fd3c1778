import { describe, expect, it, jest } from '@jest/globals';
import {
  BadGatewayException,
  BadRequestException,
  ConflictException,
  ForbiddenException,
  InternalServerErrorException,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { ToolFailedException, ToolRetryException, type ToolRetryPolicy } from 'nestjs-agent-tools';
import { start, startError } from './support/start.js';
import { counting, failing, toolOf, type Work } from './support/tool-of.js';

const readTool = (retry: number | ToolRetryPolicy, work: Work, timeout?: number) =>
  toolOf({ effect: 'read', retry, timeout }, work);

const QUICK = { times: 2, delay: 0 };

describe('a tool that has `retry`', () => {
  it.each([
    ['no effect', {}],
    ['the effect "write"', { effect: 'write' as const }],
    ['the effect "destructive"', { effect: 'destructive' as const }],
    ['`idempotent: false`', { idempotent: false }],
  ])('stops the boot if it has %s', async (_what, options) => {
    const message = await startError({ providers: [toolOf({ ...options, retry: 1 }, () => 1)] });
    expect(message).toContain('WorkTools.work');
    expect(message).toContain('`idempotent: true`');
    expect(message).toContain("`effect: 'read'`");
  });

  it.each([
    ['`idempotent: true`', { idempotent: true }],
    ['`idempotent: true` and is destructive', { idempotent: true, effect: 'destructive' as const }],
    ["`effect: 'read'`", { effect: 'read' as const }],
  ])('is repeated if it has %s', async (_what, options) => {
    const work = counting(failing(new Error('busy')));
    const { call } = await start({ providers: [toolOf({ ...options, retry: QUICK }, work)] });
    expect((await call('work')).status).toBe('error');
    expect(work.count).toBe(3);
  });

  it.each(['module', 'agent', 'run'] as const)(
    'by the %s is repeated only if it may be',
    async (layer) => {
      const read = counting(failing(new Error('busy')));
      const write = counting(failing(new Error('busy')));
      const { step } = await start({
        providers: [
          toolOf({ name: 'read', effect: 'read' }, read),
          toolOf({ name: 'write', effect: 'write' }, write),
        ],
        module: { toolDefaults: layer === 'module' ? { retry: QUICK } : undefined },
        agent: { toolDefaults: layer === 'agent' ? { retry: QUICK } : undefined },
      });
      const toolOverrides = layer === 'run' ? { retry: QUICK } : undefined;
      await step([{ tool: 'read' }, { tool: 'write' }], { toolOverrides });
      expect([read.count, write.count]).toEqual([3, 1]);
    },
  );
});

describe('a call is repeated', () => {
  it.each([
    ['a plain error', new Error('busy')],
    ['a 500', new InternalServerErrorException()],
    ['a 502', new BadGatewayException()],
    ['a text', 'busy'],
    ['undefined', undefined],
  ])('after %s', async (_what, error) => {
    const work = counting(failing(error));
    const { call } = await start({ providers: [readTool(QUICK, work)] });
    const { status } = await call('work');
    expect(status).toBe('error');
    expect(work.count).toBe(3);
  });

  it.each([
    ['a ToolRetryException', new ToolRetryException('Other arguments.')],
    ['a ToolFailedException', new ToolFailedException('There is none.')],
    ['a 400', new BadRequestException()],
    ['a 401', new UnauthorizedException()],
    ['a 403', new ForbiddenException()],
    ['a 409', new ConflictException()],
    ['a 422', new UnprocessableEntityException()],
  ])('not after %s', async (_what, error) => {
    const work = counting(failing(error));
    const { call } = await start({ providers: [readTool(QUICK, work)] });
    expect((await call('work')).error).toBe(error);
    expect(work.count).toBe(1);
  });

  it('not for arguments that do not fit, nor after a no of `approve`', async () => {
    const work = counting();
    let asked = 0;
    const approve = () => {
      asked++;
      return false;
    };
    const provider = toolOf({ effect: 'read', retry: QUICK, approve }, work);
    const { call } = await start({ providers: [provider] });
    expect((await call('work', { n: 'many' })).status).toBe('error');
    expect(asked).toBe(0);
    expect((await call('work')).status).toBe('denied');
    expect(asked).toBe(1);
    expect(work.count).toBe(0);
  });

  it('until it succeeds, with the result of the last attempt', async () => {
    const attempts: number[] = [];
    const work: Work = (_input, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error(`busy ${attempt}`);
      return `done in ${attempt}`;
    };
    const { call } = await start({ providers: [readTool({ times: 5, delay: 0 }, work)] });
    expect(await call('work')).toMatchObject({ status: 'success', value: 'done in 3' });
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('and fails with the error of the last attempt', async () => {
    const work: Work = (_input, { attempt }) => {
      throw attempt === 3 ? new ToolFailedException('It is gone.') : new Error('busy');
    };
    const { call } = await start({ providers: [readTool(QUICK, work)] });
    expect(await call('work')).toMatchObject({ status: 'error', content: 'It is gone.' });
  });

  it('from its beginning: guards, interceptors and validation run again', async () => {
    const seen: string[] = [];
    const work: Work = ({ n }, { attempt }) => {
      seen.push(`work ${attempt} ${n}`);
      throw new Error('busy');
    };
    const provider = readTool({ times: 1, delay: 0 }, work);
    const guard = {
      canActivate: (context: ExecutionContext) => {
        const { attempt, input } = context.getArgByIndex<{ attempt: number; input: object }>(3);
        seen.push(`guard ${attempt} ${JSON.stringify(input)}`);
        return true;
      },
    };
    const interceptor = {
      intercept: (_context: ExecutionContext, next: CallHandler) => {
        seen.push('interceptor');
        return next.handle();
      },
    };
    UseGuards(guard)(provider);
    UseInterceptors(interceptor)(provider);
    const { call } = await start({ providers: [provider] });
    await call('work', { n: 1 });
    const attempt = (count: number) => [`guard ${count} {"n":1}`, 'interceptor', `work ${count} 1`];
    expect(seen).toEqual([...attempt(1), ...attempt(2)]);
  });

  it('not if a guard says no the second time', async () => {
    const work = counting(failing(new Error('busy')));
    const provider = readTool(QUICK, work);
    let asked = 0;
    UseGuards({ canActivate: () => ++asked === 1 })(provider);
    const { call } = await start({ providers: [provider] });
    expect((await call('work')).status).toBe('denied');
    expect([asked, work.count]).toEqual([2, 1]);
  });
});

describe('`when`', () => {
  it('decides by the error', async () => {
    const seen: unknown[] = [];
    const work = counting((_input, { attempt }) => {
      throw new Error(attempt < 3 ? 'busy' : 'broken');
    });
    const when = (error: unknown) => {
      seen.push((error as Error).message);
      return (error as Error).message === 'busy';
    };
    const { call } = await start({ providers: [readTool({ times: 9, delay: 0, when }, work)] });
    expect((await call('work')).error).toEqual(new Error('broken'));
    expect(seen).toEqual(['busy', 'busy', 'broken']);
    expect(work.count).toBe(3);
  });

  it('is a no if it throws', async () => {
    const error = new Error('busy');
    const work = counting(failing(error));
    const when = () => {
      throw new Error('no idea');
    };
    const { call } = await start({ providers: [readTool({ times: 3, delay: 0, when }, work)] });
    expect((await call('work')).error).toBe(error);
    expect(work.count).toBe(1);
  });

  it('is not asked about expected errors', async () => {
    const when = jest.fn(() => true);
    const work = counting(failing(new ToolFailedException('There is none.')));
    const { call } = await start({ providers: [readTool({ times: 3, delay: 0, when }, work)] });
    await call('work');
    expect(when).not.toHaveBeenCalled();
    expect(work.count).toBe(1);
  });
});
