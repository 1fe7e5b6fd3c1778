/** What code keeps in an `AsyncLocalStorage`: fault 106 and 107 of public agent loops. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Tool, ToolExecutionContext, ToolParam, type AgentStream } from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { lastValueFrom } from 'rxjs';
import { startAgent } from './support/agent.js';
import { readAll } from './support/events.js';
import { sleep } from './support/time.js';

const storage = new AsyncLocalStorage<string>();
const seen: (string | undefined)[] = [];

class Entering implements CanActivate {
  async canActivate(context: ExecutionContext) {
    const { user } = ToolExecutionContext.create(context).getInput() as { user: string };
    storage.enterWith(user);
    await sleep(1);
    return true;
  }
}

class EnteringAtOnce implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { user } = ToolExecutionContext.create(context).getInput() as { user: string };
    storage.enterWith(user);
    return true;
  }
}

@Injectable()
class Tools {
  @Tool('Looks.')
  async look() {
    seen.push(storage.getStore());
    await sleep(1);
    seen.push(storage.getStore());
  }

  @Tool('Looks behind a guard that enters a store.')
  @UseGuards(Entering)
  async guarded(@ToolParam('user') user: string) {
    await sleep(1);
    return `${user}: ${storage.getStore()}`;
  }

  @Tool('The same, with a guard that does it at once.')
  @UseGuards(EnteringAtOnce)
  guardedAtOnce(@ToolParam('user') user: string) {
    return `${user}: ${storage.getStore()}`;
  }
}

const TURNS: ScriptedTurn[] = [
  [{ tool: 'look' }, { tool: 'look' }, { tool: 'look' }],
  () => {
    seen.push(storage.getStore());
    return { tool: 'look' };
  },
  'Done.',
];

beforeEach(() => {
  seen.length = 0;
});

describe('the store of the caller', () => {
  it('is seen by parallel tools, by later steps and by the model', async () => {
    const { agent } = await startAgent([Tools], { model: scripted(TURNS) });
    await storage.run('alice', () => agent.run('Go.'));
    expect(seen).toEqual(Array.from({ length: 9 }, () => 'alice'));
  });

  it.each<[string, (stream: AgentStream) => Promise<unknown>]>([
    ['its events', readAll],
    ['its result', (stream) => stream.result],
    ['its Observable', (stream) => lastValueFrom(stream.toObservable())],
    [
      'its text',
      async (stream) => {
        for await (const piece of stream.textStream) await sleep(piece.length > 0 ? 1 : 0);
      },
    ],
  ])('is seen in a stream that is read later and elsewhere: %s', async (_kind, read) => {
    const { agent } = await startAgent([Tools], { model: scripted(TURNS) });
    const stream = storage.run('alice', () => agent.stream('Go.'));
    await sleep(1);
    await storage.run('somebody else', () => read(stream));
    expect(seen).toEqual(Array.from({ length: 9 }, () => 'alice'));
  });

  it('stays the one of the consumer for the consumer', async () => {
    const { agent } = await startAgent([Tools], { model: scripted(TURNS) });
    const stream = storage.run('alice', () => agent.stream('Go.'));
    await storage.run('bob', async () => {
      for await (const { type } of stream)
        expect([type, storage.getStore()]).toEqual([type, 'bob']);
    });
    expect(storage.getStore()).toBeUndefined();
  });

  it('is not mixed up between runs at the same time', async () => {
    const { agent } = await startAgent([Tools]);
    const names = Array.from({ length: 5 }, (_, index) => `user ${index}`);
    const runs = names.map((name) =>
      storage.run(name, () => agent.run('Go.', { model: scripted(TURNS) })),
    );
    await Promise.all(runs);
    for (const name of names) expect(seen.filter((store) => store === name)).toHaveLength(9);
  });
});

describe.each(['guarded', 'guardedAtOnce'])(
  'a store that a guard of the tool "%s" enters',
  (tool) => {
    const users = ['u1', 'u2', 'u3'];
    const turns = (): ScriptedTurn[] => [
      [...users.map((user) => ({ tool, arguments: { user } })), { tool: 'look' }],
      ...TURNS.slice(1),
    ];

    it('is seen by its own call only, not by its siblings', async () => {
      const { agent } = await startAgent([Tools], { model: scripted(turns()) });
      const { steps } = await storage.run('alice', () => agent.run('Go.'));
      expect(steps[0].toolResults.map(({ value }) => value).slice(0, 3)).toEqual(
        users.map((user) => `${user}: ${user}`),
      );
      expect(seen).toEqual(Array.from({ length: 5 }, () => 'alice'));
    });

    it('is not seen by the loop, by who reads its events, or by who awaits it', async () => {
      const { agent } = await startAgent([Tools], { model: scripted(turns()) });
      await storage.run('alice', async () => {
        for await (const { type } of agent.stream('Go.')) {
          expect([type, storage.getStore()]).toEqual([type, 'alice']);
        }
        await agent.run('Go.', { model: scripted(turns()) });
        expect(storage.getStore()).toBe('alice');
      });
      expect(new Set(seen)).toEqual(new Set(['alice']));
    });

    it('is not seen after a single call either', async () => {
      const model = scripted([{ tool, arguments: { user: 'u1' } }, ...TURNS.slice(1)]);
      const { agent } = await startAgent([Tools], { model });
      await agent.run('Go.');
      expect(seen).toEqual([undefined, undefined, undefined]);
    });
  },
);
