import { afterEach, describe, expect, it } from '@jest/globals';
import { UseGuards, type CanActivate } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { EMPTY, from, NEVER, of, throwError } from 'rxjs';
import { Tool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app.close());

async function callWith(answer: () => unknown) {
  let runs = 0;
  class Guarded {
    @Tool({ description: 'Anything.', timeout: 50 })
    @UseGuards({ canActivate: answer } as CanActivate)
    run() {
      runs++;
      return 'ran';
    }
  }
  app = await createApp({ providers: [Guarded] });
  const { status } = await callTool(app, 'run', {});
  return { status, runs };
}

describe('when a guard answers', () => {
  it.each<[string, () => unknown]>([
    ['true', () => true],
    ['a promise of true', () => Promise.resolve(true)],
    ['an Observable of true', () => of(true)],
    ['an Observable that ends with true', () => from([false, true])],
    ['a promise of an Observable of true', () => Promise.resolve(of(true))],
  ])('%s, the tool runs', async (_kind, answer) => {
    expect(await callWith(answer)).toEqual({ status: 'success', runs: 1 });
  });

  it.each<[string, () => unknown]>([
    ['false', () => false],
    ['nothing', () => undefined],
    ['null', () => null],
    ['zero', () => 0],
    ['a promise of false', () => Promise.resolve(false)],
    ['a promise of nothing', () => Promise.resolve()],
    ['an Observable of false', () => of(false)],
    ['an Observable that ends with false', () => from([true, false])],
    ['a promise of an Observable of false', () => Promise.resolve(of(false))],
  ])('%s, the tool is denied and does not run', async (_kind, answer) => {
    expect(await callWith(answer)).toEqual({ status: 'denied', runs: 0 });
  });

  it.each<[string, () => unknown]>([
    [
      'an exception',
      () => {
        throw new Error('broken');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('broken'))],
    ['an Observable that fails', () => throwError(() => new Error('broken'))],
    ['an Observable without a value', () => EMPTY],
    ['an Observable that never ends', () => NEVER],
    ['a promise that never settles', () => new Promise(() => undefined)],
  ])('%s, the tool does not run', async (_kind, answer) => {
    expect(await callWith(answer)).toEqual({ status: 'error', runs: 0 });
  });
});

describe('when several guards stand on a tool', () => {
  it('asks them in order and stops at the first that says no', async () => {
    const asked: string[] = [];
    const guard = (name: string, answer: boolean): CanActivate => ({
      canActivate: () => {
        asked.push(name);
        return answer;
      },
    });
    class Guarded {
      @Tool('Anything.')
      @UseGuards(guard('first', true), guard('second', false), guard('third', true))
      run() {
        asked.push('method');
      }
    }
    app = await createApp({ providers: [Guarded] });
    expect((await callTool(app, 'run', {})).status).toBe('denied');
    expect(asked).toEqual(['first', 'second']);
  });

  it('does not run the method when a guard allows a call that has timed out meanwhile', async () => {
    let runs = 0;
    class Guarded {
      @Tool({ description: 'Anything.', timeout: 10 })
      @UseGuards({
        canActivate: () => new Promise<boolean>((resolve) => setTimeout(resolve, 40, true)),
      })
      run() {
        runs++;
      }
    }
    app = await createApp({ providers: [Guarded] });
    expect((await callTool(app, 'run', {})).content).toContain('timed out');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(runs).toBe(0);
  });
});
