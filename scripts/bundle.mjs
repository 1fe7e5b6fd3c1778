// The core is some 140 small files, and Node resolves and reads each of them: loading them one by one
// takes several times as long as running them. So `exports` leads to one file made of them all; the
// types stay as the compiler wrote them.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const OUTFILE = 'dist/agent-tools/bundle.js';

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

await build({
  entryPoints: ['dist/agent-tools/index.js'],
  outfile: OUTFILE,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  // Nest shows the names of classes in its messages, and guards are named in ours.
  keepNames: true,
  logLevel: 'warning',
  plugins: [requirePackage],
});

// `keepNames` also defines the name of each inner arrow function whenever it is made, which was a
// seventh of the cost of a tool call. Only classes need theirs, and arrow functions have no prototype.
const KEEP_NAME =
  'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
const code = readFileSync(OUTFILE, 'utf8');
if (!code.includes(KEEP_NAME)) throw new Error('esbuild writes the helper of keepNames otherwise');
writeFileSync(
  OUTFILE,
  code.replace(
    KEEP_NAME,
    KEEP_NAME.replace('=> ', '=> target.prototype === undefined ? target : '),
  ),
);
