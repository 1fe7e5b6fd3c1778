import { readFileSync } from 'node:fs';

/** Options of `node` for a process that runs on Nest 11. */
export const ON_NEST_11 = ['--import', new URL('./nest-11.mjs', import.meta.url).href];

/** A process that runs on the other Nest would measure the wrong thing. */
export function checkNestVersion(expected) {
  const manifest = new URL(import.meta.resolve('@nestjs/core/package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  if (version.startsWith(`${expected}.`)) return;
  throw new Error(`This should run on Nest ${expected}, but there is Nest ${version}.`);
}
