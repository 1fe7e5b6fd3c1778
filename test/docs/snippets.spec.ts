/** Every TypeScript snippet of the README and the docs compiles, those of one page together. */
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const PAGES = ['README.md', ...readdirSync(resolve(ROOT, 'docs')).map((name) => `docs/${name}`)];

interface Snippet {
  readonly path: string;
  readonly code: string;
}

/** The first line of a snippet is a comment with the name of its file. */
function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => {
    const name = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1];
    if (!name)
      throw new Error(
        `A snippet of ${page} does not start with "// file.ts": ${code.slice(0, 60)}`,
      );
    // As if each page were a folder of its own, so that its imports find its other snippets.
    const folder = page.replaceAll(/[/.]/g, '-');
    return { path: resolve(ROOT, `test/docs/${folder}/${name}`), code };
  });
}

/** The snippets of tests use Jest's globals, as an application does. */
const GLOBALS = ['describe', 'it', 'expect']
  .map((name) => `declare const ${name}: typeof import("@jest/globals").${name};`)
  .join('\n');

const snippets = PAGES.flatMap((page) => snippetsOf(page).map((snippet) => ({ page, ...snippet })));
const problems = compile(
  new Map([
    ...snippets.map(({ path, code }) => [path, code] as const),
    [resolve(ROOT, 'test/docs/globals.d.ts'), GLOBALS],
  ]),
);

describe('the documentation', () => {
  it.each(snippets.map(({ page, path }) => [page, path.slice(ROOT.length + 1), path]))(
    '%s: %s compiles',
    (_page, _name, path) => {
      expect(problems.get(path)).toBe('');
    },
  );

  it('links to files that exist', () => {
    const links = PAGES.flatMap((page) => {
      const text = readFileSync(resolve(ROOT, page), 'utf8');
      return [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
        ([, link]) => `${dirname(page)}/${link}`,
      );
    });
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(resolve(ROOT, link)))).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const text = readFileSync(resolve(ROOT, 'README.md'), 'utf8');
    const named = [...text.matchAll(/npm (?:run )?(demo|test|start)\b/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(['demo', 'test', 'start']));
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  it('shows the Jest setting that the smoke test runs', () => {
    const shown = /```json\n([\s\S]*?)```/.exec(
      readFileSync(resolve(ROOT, 'docs/testing.md'), 'utf8'),
    );
    const used = readFileSync(resolve(ROOT, 'smoke/nest-11-jest.json'), 'utf8');
    expect(JSON.parse(shown?.[1] ?? '')).toEqual(JSON.parse(used));
  });
});
