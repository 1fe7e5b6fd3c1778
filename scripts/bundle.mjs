// The core is some 400 small files, and Node resolves and reads each of them: loading them one by one
// takes several times as long as running them. So `exports` leads to files made of them all, one for
// each entry and one of what both need; the types stay as the compiler wrote them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const OUTDIR = 'dist/agent-tools';

const requirePackage = {
  name: 'require-package',
  setup({ onResolve }) {
    // CommonJS, which must stay a file of its own (see its comment).
    onResolve({ filter: /\/require-package\.cjs$/ }, () => ({
      path: './utils/require-package.cjs',
      external: true,
    }));
  },
};

const { metafile } = await build({
  entryPoints: {
    bundle: join(OUTDIR, 'index.js'),
    'model-kit.bundle': join(OUTDIR, 'model-kit.js'),
  },
  outdir: OUTDIR,
  bundle: true,
  splitting: true,
  chunkNames: 'shared.bundle',
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
  plugins: [requirePackage],
});

// Nest shows the names of classes in its messages, and guards are named in ours, but esbuild gives
// other names to some. Its own `keepNames` would also define the name of each inner function whenever
// it is made, which was a third of the cost of a tool call.
for (const file of Object.keys(metafile.outputs)) {
  const code = readFileSync(file, 'utf8');
  const renamed = [...code.matchAll(/^(?:var |let )?(\w+) = (?:\w+ = )?class (\w+)/gm)].filter(
    ([, name, given]) => given !== name && given !== 'extends',
  );
  const written = [...code.matchAll(/\bclass (?:_\w+|\w+\d)\b/g)].length;
  if (written !== renamed.length)
    throw new Error('esbuild renames a class in a way that is not known');
  if (renamed.length === 0) continue;
  const names = renamed.map(([, name]) => `  [${name}, "${name}"],\n`).join('');
  writeFileSync(
    file,
    `${code}\nfor (const [type, value] of [\n${names}]) Object.defineProperty(type, "name", { value });\n`,
  );
}
