/** Every TypeScript snippet of the README and the docs compiles, those of one page together. */
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
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

function compile(snippets: readonly Snippet[]): Map<string, string> {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = new Map(snippets.map(({ path, code }) => [path, code]));
  const folders = new Set(snippets.map(({ path }) => dirname(path)));
  // The snippets of tests use Jest's globals, as an application does.
  const globals = resolve(ROOT, 'test/docs/globals.d.ts');
  files.set(
    globals,
    'declare const describe: typeof import("@jest/globals").describe;' +
      'declare const it: typeof import("@jest/globals").it;' +
      'declare const expect: typeof import("@jest/globals").expect;',
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile, directoryExists } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? false);
  host.getSourceFile = (path, ...rest) => {
    const code = files.get(path);
    return code === undefined
      ? getSourceFile.call(host, path, ...rest)
      : ts.createSourceFile(path, code, ts.ScriptTarget.ES2023);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files.keys()].map((path) => [
      path,
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
        .join('\n'),
    ]),
  );
}

const snippets = PAGES.flatMap((page) => snippetsOf(page).map((snippet) => ({ page, ...snippet })));
const problems = compile(snippets);

describe('the documentation', () => {
  it.each(snippets.map(({ page, path }) => [page, path.slice(ROOT.length + 1), path]))(
    '%s: %s compiles',
    (_page, _name, path) => {
      expect(problems.get(path)).toBe('');
    },
  );

  it.each(PAGES)('%s links to files that exist', (page) => {
    const text = readFileSync(resolve(ROOT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link);
    for (const link of links)
      expect([link, existsSync(resolve(ROOT, dirname(page), link))]).toEqual([link, true]);
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
});
