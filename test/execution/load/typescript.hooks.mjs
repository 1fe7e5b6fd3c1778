// Lets a plain Node.js process run the TypeScript of the libraries and tests, as Jest does: Jest's own
// modules and the hook of the leak check would be most of what a load test measures.
import { readFile } from 'node:fs/promises';
import { transform } from '@swc/core';
import config from '../../../jest.config.mjs';

const ROOT = new URL('../../../', import.meta.url);
const NEST_11 = new URL('test/nest-11/package.json', ROOT).href;
/** rxjs and reflect-metadata as well: Nest 11 finds its own, and there must be one copy for all. */
const FROM_NEST_11 = /^(@nestjs\/|rxjs$|rxjs\/|reflect-metadata$)/;
const [, OPTIONS] = config.transform['^.+\\.ts$'];

export function resolve(specifier, context, nextResolve) {
  const library = /^nestjs-agent-tools(?:\/([a-z-]+))?$/.exec(specifier);
  if (library) {
    const { href } = new URL(`libs/${library[1] ?? 'agent-tools'}/src/index.ts`, ROOT);
    return nextResolve(href, context);
  }
  if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts')) {
    return nextResolve(specifier.replace(/\.(c?)js$/, '.$1ts'), context);
  }
  return process.env.NEST_11 && FROM_NEST_11.test(specifier)
    ? nextResolve(specifier, { ...context, parentURL: NEST_11 })
    : nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!/\.c?ts$/.test(url)) return nextLoad(url, context);
  const isCommonJs = url.endsWith('.cts');
  const { code } = await transform(await readFile(new URL(url), 'utf8'), {
    ...OPTIONS,
    module: { type: isCommonJs ? 'commonjs' : 'es6' },
    filename: new URL(url).pathname,
  });
  return { format: isCommonJs ? 'commonjs' : 'module', source: code, shortCircuit: true };
}
