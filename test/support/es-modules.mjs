import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../../', import.meta.url);

/**
 * Jest on Node 20 cannot `require()` Nest 12, which is made of ES modules, as packages in CommonJS do.
 * Applications run them by Node's own `require()`; for the tests each becomes one ES module.
 *
 * @param {readonly string[]} packages
 * @returns {Promise<Record<string, string>>} for Jest's `moduleNameMapper`
 */
export async function toEsModules(packages) {
  const entries = packages.map(async (name) => {
    const { version } = (
      await import(new URL(`node_modules/${name}/package.json`, ROOT), { with: { type: 'json' } })
    ).default;
    const file = fileURLToPath(
      new URL(`node_modules/.cache/es-modules/${name.replace('/', '_')}@${version}.mjs`, ROOT),
    );
    if (!existsSync(file)) await bundle(name, file);
    return [`^${name}$`, file];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function bundle(name, outfile) {
  const entry = fileURLToPath(import.meta.resolve(name));
  const { default: exported } = await import(name);
  const names = Object.keys(exported).filter((key) => key !== 'default');
  await build({
    stdin: {
      contents:
        `import * as all from ${JSON.stringify(entry)};\n` +
        names.map((one) => `export const ${one} = all.${one};`).join('\n'),
      resolveDir: fileURLToPath(ROOT),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    keepNames: true,
    outfile,
    plugins: [{ name: 'shared', setup: shareOthers }],
  });
}

/** Everything but the package itself stays an import, so that both sides have one copy of it. */
function shareOthers({ onResolve, onLoad }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace }) =>
    kind === 'require-call' ? { path, namespace: 'shared' } : { path, external: true, namespace },
  );
  onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
    contents: `export * from ${JSON.stringify(path)};`,
    resolveDir: fileURLToPath(ROOT),
  }));
}
