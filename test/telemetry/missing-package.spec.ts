import { afterEach, expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ROOT } from '../support/compile.js';

const API = '@opentelemetry/api';
const installed = createRequire(import.meta.url);
let failure: Error | undefined;
const asked = jest.fn<(name: string) => void>();

jest.unstable_mockModule(resolve(ROOT, 'libs/agent-tools/src/utils/require-package.cts'), () => ({
  requirePackage: (name: string): unknown => {
    asked(name);
    if (name === API && failure) throw failure;
    return installed(name);
  },
}));

const { AgentService, Tool } = await import('nestjs-agent-tools');
const { scripted } = await import('nestjs-agent-tools/testing');
const { compileApp } = await import('../support/app.js');

class Hello {
  @Tool('Says hello.')
  hello() {
    return 'hello';
  }
}

async function startWith(telemetry?: false) {
  const model = scripted([{ tool: 'hello' }, 'Hello.']);
  const options = { model, ...(telemetry === false && { telemetry }) };
  const app = await compileApp({ providers: [Hello] }, options);
  await app.init();
  return app;
}

afterEach(() => {
  failure = undefined;
  asked.mockClear();
});

it('an application without the OpenTelemetry api starts and runs', async () => {
  failure = Object.assign(new Error(`Cannot find module '${API}'`), { code: 'MODULE_NOT_FOUND' });
  const app = await startWith();
  expect((await app.get(AgentService).run('Hi')).text).toBe('Hello.');
  expect(asked.mock.calls.filter(([name]) => name === API)).toHaveLength(1);
  await app.close();
});

it('an api that is broken is not taken for one that is missing', async () => {
  failure = new SyntaxError('Unexpected end of input');
  await expect(startWith()).rejects.toThrow('Unexpected end of input');
});

it('with `telemetry: false` the api is not loaded', async () => {
  const app = await startWith(false);
  expect(asked.mock.calls.filter(([name]) => name === API)).toHaveLength(0);
  await app.close();
});
