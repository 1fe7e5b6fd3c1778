import { dirname, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Type-checks files that exist only in memory with the options of the root tsconfig.json.
 *
 * @returns the compiler's messages by path, empty where all is well
 */
export function compile(
  files: ReadonlyMap<string, string>,
  overrides: ts.CompilerOptions = {},
): Map<string, string> {
  const read = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, ROOT);
  const compilerOptions = { ...options, ...overrides };
  const program = ts.createProgram(
    [...files.keys()],
    compilerOptions,
    createHost(files, compilerOptions),
  );
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

function createHost(
  files: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  return {
    ...disk,
    fileExists: (path) => files.has(path) || disk.fileExists(path),
    readFile: (path) => files.get(path) ?? disk.readFile(path),
    directoryExists: (path) => folders.has(path) || (disk.directoryExists?.(path) ?? false),
    getSourceFile: (path, ...rest) => {
      const code = files.get(path);
      return code === undefined
        ? disk.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, code, ts.ScriptTarget.ES2023);
    },
  };
}
