import { afterEach, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolExecutor, ToolSignal } from 'nestjs-agent-tools';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createApp } from '../support/app.js';

const storage = new AsyncLocalStorage<string>();
const seen: (string | undefined)[] = [];

class Slow {
  @Tool({ description: 'Waits.', timeout: 20 })
  wait(@ToolSignal() signal: AbortSignal) {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        seen.push(storage.getStore());
        resolve('too late');
      });
    });
  }
}

let app: TestingModule;
afterEach(async () => {
  await app.close();
});

it('a timeout is told in the async context of its own call, not of one that began beside it', async () => {
  app = await createApp({ providers: [Slow] });
  const executor = app.get(ToolExecutor);
  const results = await Promise.all(
    ['a', 'b', 'c'].map((name) => storage.run(name, () => executor.execute('wait', {}))),
  );
  expect(results.map(({ content }) => content)).toEqual(
    Array.from({ length: 3 }, () => '"wait" timed out after 20 ms.'),
  );
  expect(new Set(seen)).toEqual(new Set(['a', 'b', 'c']));
});
