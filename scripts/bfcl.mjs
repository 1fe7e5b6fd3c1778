// Runs test/bfcl on a folder of function descriptions. Usage: npm run test:bfcl -- DIR
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const [directory] = process.argv.slice(2);
if (!directory || !existsSync(directory)) {
  console.error(
    `Usage: npm run test:bfcl -- DIR${directory ? ` (${directory} does not exist)` : ''}`,
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--expose-gc', 'node_modules/jest/bin/jest.js', 'test/bfcl'],
  { stdio: 'inherit', env: { ...process.env, BFCL_DIR: resolve(directory) } },
);
process.exitCode = status ?? 1;
