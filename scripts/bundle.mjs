// The core is some 140 small files, and Node resolves and reads each of them: loading them one by one
// takes several times as long as running them. So `exports` leads to one file made of them all; the
// types stay as the compiler wrote them.
import { build } from 'esbuild';

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
  outfile: 'dist/agent-tools/bundle.js',
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
