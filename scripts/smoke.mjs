// Installs the packed package into throw-away applications, as its users will, and checks that they
// compile, start, answer and pass their own tests. Packs the package itself if it is not given.
// Usage: npm run test:smoke [-- [TARBALL] [--keep]]
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Application } from '../smoke/application.mjs';
import { Checks } from '../smoke/checks.mjs';
import { startServer } from '../smoke/processes.mjs';
import { expectedFiles, pack, packedFiles } from '../smoke/tarball.mjs';

const ROOT = join(import.meta.dirname, '..');
const BUILD = ['-p', 'tsconfig.build.json'];
/** Stricter than `nest new` is, and with the declaration files of the package itself checked. */
const STRICT = `
  --noEmit --incremental false --skipLibCheck false --strict --strictPropertyInitialization false
  --noUncheckedIndexedAccess --exactOptionalPropertyTypes
`;
/** As `nest new` wrote it until 11.0.5: TypeScript then reads no `exports`. */
const OLD_RESOLUTION = `
  --noEmit --incremental false --module commonjs --moduleResolution node10
  --resolvePackageJsonExports false --isolatedModules false
`;
const SUBPATHS = Object.keys(readJson('package.json').exports)
  .filter((subpath) => !subpath.endsWith('.json'))
  .map((subpath) => `nestjs-agent-tools${subpath.slice(1)}`);

const checks = new Checks();
const workspace = mkdtempSync(join(tmpdir(), 'agent-tools-smoke-'));

async function main(given) {
  const tarball = given ?? (await pack(ROOT, workspace));
  await checks.run('the package holds its files and no others', async () =>
    assert.deepEqual(await packedFiles(tarball), expectedFiles(ROOT)),
  );
  // Each waits for the registry half of its time.
  await Promise.all([checkNest12(tarball), checkNest11(tarball), checkBare(tarball)]);
}

async function checkNest12(tarball) {
  const app = new Application(workspace, 'nest-12');
  app.addSources({ extensions: true });
  if (!(await checks.run('Nest 12, ESM: install', () => app.install(tarball)))) return;
  await checkApplication('Nest 12, ESM', app);
  await checks.run('Nest 12, ESM: its own Vitest', () =>
    app.node('node_modules/vitest/vitest.mjs', 'run'),
  );
}

const SHARED_CLASSES = `
  const { ModelExceptionFactory } = require('nestjs-agent-tools/model-kit');
  const { ChatModelException } = require('nestjs-agent-tools');
  const error = new ModelExceptionFactory({ label: 'a:b' }).from({});
  require('node:assert').ok(error instanceof ChatModelException);
`;

async function checkNest11(tarball) {
  const app = new Application(workspace, 'nest-11');
  app.addSources({ extensions: false });
  app.configure('jest', readJson('smoke/nest-11-jest.json'));
  if (!(await checks.run('Nest 11, CommonJS: install', () => app.install(tarball)))) return;
  await checkApplication('Nest 11, CommonJS', app);
  await checks.run('Nest 11, CommonJS: types with the tsconfig of older applications', () =>
    app.compile(...BUILD, ...words(OLD_RESOLUTION)),
  );
  for (const subpath of SUBPATHS) {
    await checks.run(`Nest 11, CommonJS: require('${subpath}')`, () =>
      app.node('-e', `require('${subpath}')`),
    );
  }
  await checks.run('Nest 11, CommonJS: the model kit has the classes of the package', () =>
    app.node('-e', SHARED_CLASSES),
  );
  await checks.run('Nest 11, CommonJS: its own Jest', () =>
    app.node('node_modules/jest/bin/jest.js'),
  );
}

async function checkApplication(name, app) {
  app.write(
    'src/subpaths.ts',
    SUBPATHS.map((path, at) => `export * as s${at} from '${path}';\n`).join(''),
  );
  await checks.run(`${name}: strict types, and the package's own`, () =>
    app.compile(...BUILD, ...words(STRICT)),
  );
  if (!(await checks.run(`${name}: build`, () => app.compile(...BUILD)))) return;
  let server;
  await checks.run(`${name}: start`, async () => {
    server = await startServer(app.directory, 'dist/main.js');
  });
  if (!server) return;
  try {
    await checkServer(name, server.url);
    await checks.run(`${name}: the process ends by itself`, () => server.stop());
  } finally {
    server.kill();
  }
}

async function checkServer(name, url) {
  const chat = async (message, { path = '/chat', role = 'nobody' } = {}) => {
    const { text } = await post(url + path, { message }, role);
    return text;
  };
  const refunds = async () => (await fetch(`${url}/chat/refunds`)).json();

  await checks.run(`${name}: a tool with a zod schema answers`, async () =>
    assert.match(await chat('What is the status of order A-17?'), /A-17[^]*shipped/),
  );
  await checks.run(
    `${name}: a tool with parameters, a pipe and the run's context answers`,
    async () => assert.match(await chat('What is the price for shipping to DE?'), /41 CHF/),
  );
  await checks.run(`${name}: a tool that its guard denies does not run`, async () => {
    assert.doesNotMatch(await chat('Refund order A-17, reason "broken"'), /is refunded/);
    assert.deepEqual(await refunds(), []);
  });
  await checks.run(`${name}: a tool with a DTO runs for whom its guard lets in`, async () => {
    const text = await chat('Refund order A-17, reason "broken"', { role: 'admin' });
    assert.match(text, /Order A-17 is refunded/);
    assert.deepEqual(await refunds(), ['A-17']);
  });
  await checks.run(`${name}: a named agent answers with its own tools only`, async () => {
    const path = '/chat/support';
    assert.match(await chat('What is the status of order A-18?', { path }), /A-18[^]*shipped/);
    await chat('Refund order A-18, reason "broken"', { path, role: 'admin' });
    assert.deepEqual(await refunds(), ['A-17']);
  });
  await checks.run(`${name}: server-sent events`, async () => {
    const q = encodeURIComponent('What is the status of order A-19?');
    const text = await (await fetch(`${url}/chat/stream?q=${q}`)).text();
    assert.match(text, /event: tool-result\n[^]*"findOrder"[^]*event: run-finished\n/);
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

function words(text) {
  return text.trim().split(/\s+/);
}

async function post(url, body, role) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-role': role },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return JSON.parse(text);
}

/** No validation library at all: neither class-validator, nor ajv, nor zod. */
async function checkBare(tarball) {
  const app = new Application(workspace, 'bare');
  if (!(await checks.run('no optional peers: install', () => app.install(tarball)))) return;
  if (!(await checks.run('no optional peers: types and build', () => app.compile()))) return;
  let output = '';
  await checks.run(
    'no optional peers: start',
    async () => (output = await app.node('dist/main.js')),
  );
  const expected = {
    'a @ToolParam tool runs': /^tool: A-17 IS SHIPPED$/m,
    'an agent runs it': /^agent: A-17 is shipped \/ It is shipped\.$/m,
    'its input is validated': /^wrong input: error$/m,
    'openai() is made': /^model: function$/m,
    'a DTO class names the package to install':
      /^DTO: .*npm install class-transformer class-validator/m,
    'a raw JSON Schema names the package to install': /^JSON Schema: .*npm install ajv/m,
  };
  for (const [name, line] of Object.entries(expected)) {
    await checks.run(`no optional peers: ${name}`, () => assert.match(output, line));
  }
}

const { values: options, positionals } = parseArgs({
  options: { keep: { type: 'boolean' } },
  allowPositionals: true,
});
try {
  await main(positionals[0]);
} catch (error) {
  checks.failed++;
  console.error(error);
} finally {
  if (options.keep) console.log(`Kept in ${workspace}`);
  else rmSync(workspace, { recursive: true, force: true });
}
console.log(checks.summary);
process.exitCode = checks.failed > 0 ? 1 : 0;
