import { spawn } from 'node:child_process';

const SHOWN_CHARACTERS = 4_000;
const RUN_TIMEOUT = 300_000;
const EXIT_TIMEOUT = 10_000;
/** What was meant for the process that runs the checks is not for those that it starts. */
const { NODE_OPTIONS: _options, NODE_PATH: _path, ...ENVIRONMENT } = process.env;

/**
 * Runs a program to its end and resolves to what it printed on its standard output.
 *
 * @throws Error with the end of its output if its exit code is not 0
 */
export async function run(command, args, { cwd, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT,
    killSignal: 'SIGKILL',
  });
  const output = collect(child);
  const code = await exitCode(child);
  if (code !== 0) {
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output.tail()}`);
  }
  return output.standard();
}

/** Starts an application's server, resolves when it listens, and ends it by ending its input. */
export async function startServer(cwd, script) {
  const child = spawn(process.execPath, [script], {
    cwd,
    env: { ...ENVIRONMENT, PORT: '0', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT,
    killSignal: 'SIGKILL',
  });
  const output = collect(child);
  const exit = exitCode(child);
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /^Listening on (\S+)$/m.exec(output.standard());
      if (found) resolve(found[1]);
    });
    exit.then((code) => reject(new Error(`It ended with ${code}:\n${output.tail()}`)), reject);
  });
  return { url, stop: () => stop(child, exit, output), kill: () => child.kill('SIGKILL') };
}

async function stop(child, exit, output) {
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT);
  const code = await exit;
  clearTimeout(timer);
  if (code !== 0) {
    throw new Error(`It did not end by itself with 0, but with ${code}:\n${output.tail()}`);
  }
}

function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

function collect({ stdout, stderr }) {
  const all = [];
  const standard = [];
  stdout.on('data', (chunk) => standard.push(chunk) && all.push(chunk));
  stderr.on('data', (chunk) => all.push(chunk));
  return {
    standard: () => Buffer.concat(standard).toString(),
    tail: () => Buffer.concat(all).toString().slice(-SHOWN_CHARACTERS),
  };
}
