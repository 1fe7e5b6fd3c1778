import { expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../support/compile.js';

const CONVERTER = '@valibot/to-json-schema';
const installed = createRequire(import.meta.url);

jest.unstable_mockModule(resolve(ROOT, 'libs/agent-tools/src/utils/require-package.cts'), () => ({
  requirePackage: (name: string): unknown => {
    if (name !== CONVERTER) return installed(name);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  },
}));

const { Tool, ToolInput } = await import('nestjs-agent-tools');
const { bootError } = await import('../support/app.js');

it('a valibot schema without its converter is a boot error that names the package', async () => {
  class Orders {
    @Tool({ description: 'Orders.', inputSchema: v.object({ count: v.number() }) })
    order(@ToolInput() input: { count: number }) {
      return input;
    }
  }
  expect(await bootError({ providers: [Orders] })).toContain(
    'Orders.order: A tool with a valibot schema needs the package "@valibot/to-json-schema", which is ' +
      'not installed. Run: npm install @valibot/to-json-schema',
  );
});
