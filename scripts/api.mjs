// Writes `api.md`, which lists what each subpath of the package exports, from the built declarations.
// Usage: npm run api [-- --check]; `--check` writes nothing and fails if the file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'api.md');
const KINDS = new Map([
  ['class', 'Classes'],
  ['decorator', 'Decorators'],
  ['function', 'Functions'],
  ['const', 'Constants'],
  ['enum', 'Enums'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
]);
const INTRODUCTION = `# API

Everything that the package exports, by subpath. Generated from the documentation in the sources by
\`npm run api\`; do not edit.
`;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => target.types)
  .map(([subpath, { types }]) => ({
    specifier: join(manifest.name, subpath),
    file: join(ROOT, types),
  }));
const program = ts.createProgram(
  entries.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: ['node'] },
);
const checker = program.getTypeChecker();
const FLAGS = ts.SymbolFlags;

/** The exports of one subpath, in alphabetical order. */
function readExports({ specifier, file }) {
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is missing. Run: npm run build`);
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) => describe(symbol, specifier))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(exported, specifier) {
  const symbol = exported.flags & FLAGS.Alias ? checker.getAliasedSymbol(exported) : exported;
  return {
    specifier,
    name: exported.name,
    kind: kindOf(symbol),
    summary: firstSentence(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    isPublic: symbol.getJsDocTags(checker).some(({ name }) => name === 'publicApi'),
  };
}

function kindOf(symbol) {
  const { flags } = symbol;
  if (flags & FLAGS.Class) return 'class';
  if (flags & FLAGS.Enum) return 'enum';
  if (flags & FLAGS.Value) {
    const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
    if (signatures.some(makesDecorator)) return 'decorator';
    return flags & FLAGS.Function ? 'function' : 'const';
  }
  return flags & FLAGS.Interface ? 'interface' : 'type';
}

/** By the name of what it returns: `ParameterDecorator`, `MethodDecorator` … */
function makesDecorator(signature) {
  const type = signature.getReturnType();
  const parts = !type.aliasSymbol && type.isIntersection() ? type.types : [type];
  return parts.some((part) => (part.aliasSymbol ?? part.symbol)?.name.endsWith('Decorator'));
}

/** Of the first paragraph, on one line. */
function firstSentence(text) {
  const paragraph = text
    .split(/\n\s*\n/, 1)[0]
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [sentence] = /^.*?[.!?](?=\s+[^a-z]|$)/.exec(paragraph) ?? [paragraph];
  return sentence.replace(/:$/, '.');
}

function render(subpaths) {
  return [INTRODUCTION, ...subpaths.map(renderSubpath)].join('\n');
}

function renderSubpath({ specifier, exported }) {
  const groups = [...KINDS].map(([kind, title]) => {
    const lines = exported
      .filter((one) => one.kind === kind)
      .map(({ name, summary }) => `- \`${name}\`: ${summary}\n`);
    return lines.length > 0 ? `\n### ${title}\n\n${lines.join('')}` : '';
  });
  return `## \`${specifier}\`\n${groups.join('')}`;
}

/** What an exported name lacks. */
function problemsOf({ specifier, name, summary, isPublic }) {
  const lacks = [
    ...(summary ? [] : ['a sentence that says what it is (TSDoc)']),
    ...(isPublic ? [] : ['the tag @publicApi']),
  ];
  return lacks.length > 0 ? [`${specifier}: ${name} lacks ${lacks.join(' and ')}`] : [];
}

/** The lines of one text that the other lacks; names are sorted, so their order says nothing. */
function difference(committed, generated) {
  const [before, after] = [committed, generated].map((text) => text.split('\n'));
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

function compare(generated) {
  const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  if (committed === generated) return console.log('api.md is up to date.');
  console.error('api.md is out of date. Run `npm run api` and commit it:');
  console.error(
    difference(committed, generated).join('\n') || '(the same lines, in another order)',
  );
  process.exitCode = 1;
}

const subpaths = entries.map((entry) => ({
  specifier: entry.specifier,
  exported: readExports(entry),
}));
const generated = render(subpaths);
if (process.argv.includes('--check')) compare(generated);
else writeFileSync(FILE, generated);

const problems = subpaths.flatMap(({ exported }) => exported.flatMap(problemsOf));
if (problems.length > 0) {
  console.error(`${problems.length} exported names are not documented:`);
  console.error(problems.map((problem) => `  ${problem}`).join('\n'));
  process.exitCode = 1;
}
