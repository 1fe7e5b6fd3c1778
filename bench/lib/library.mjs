import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const DEFAULT_BUILD = new URL('../../dist/', import.meta.url);

/**
 * Loads an entry of the library from its build. Not a dependency of this package: npm would install
 * a second copy of Nest for it, and the two would not know each other's classes. From here, Nest is
 * found in the root's `node_modules`, as it is from the build.
 *
 * @param entry `agent-tools`, `openai` …
 */
export function loadLibrary(entry = 'agent-tools') {
  // As `exports` has it: the core is loaded from its bundle.
  const file = entry === 'agent-tools' ? 'bundle.js' : 'index.js';
  return loadModule(`${entry}/${file}`);
}

/** Loads a part of the library that is not exported, for measuring it alone. */
export function loadModule(path) {
  const build = process.env.BENCH_BUILD;
  const base = build ? pathToFileURL(`${resolve(build)}/`) : DEFAULT_BUILD;
  return import(new URL(path, base).href);
}
