import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';

/** Packs the package, as `npm publish` does, with a fresh build. Resolves to the path. */
export async function pack(root, directory) {
  const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', directory];
  const [{ filename }] = JSON.parse(await run('npm', args, { cwd: root }));
  return join(directory, filename);
}

export async function packedFiles(tarball) {
  const names = (await run('tar', ['tzf', tarball])).trim().split('\n');
  return sorted(names.map((name) => name.replace(/^package\//, '')));
}

/** The files that a package built from these sources has to hold, and no others. */
export function expectedFiles(root) {
  const { exports: subpaths } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const libraries = Object.values(subpaths).flatMap(({ types }) => types?.split('/')[2] ?? []);
  const built = libraries.flatMap((library) => builtFiles(root, library));
  // The core is exported as bundles, which no source file is compiled to, with what they share.
  const entries = Object.values(subpaths).flatMap((subpath) => subpath.default?.slice(2) ?? []);
  entries.push('dist/agent-tools/shared.bundle.js');
  const docs = listFiles(join(root, 'docs')).map((name) => `docs/${name}`);
  const meta = ['LICENSE', 'README.md', 'api.md', 'package.json'];
  return sorted([...new Set([...meta, ...built, ...entries, ...docs])]);
}

function builtFiles(root, library) {
  return listFiles(join(root, 'libs', library, 'src'))
    .filter((name) => /\.[cm]?ts$/.test(name) && !name.endsWith('.spec.ts'))
    .flatMap((name) => {
      const built = `dist/${library}/${name}`;
      return [built.replace(/ts$/, 'js'), built.replace(/([cm]?)ts$/, 'd.$1ts')];
    });
}

function listFiles(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

function sorted(names) {
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}
