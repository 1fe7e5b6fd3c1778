import type { JsonSchema } from 'nestjs-agent-tools';

/** Writes right arguments as a sloppy model would; undefined where they cannot be written that way. */
export type Mangling = (
  value: Record<string, unknown>,
  schema: JsonSchema,
  seed: number,
) => string | undefined;

/** Twelve ways in which models write arguments wrong, each without a doubt about what is meant. */
export const MANGLINGS: Readonly<Record<string, Mangling>> = {
  'a code fence': (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
  'prose around it': (value, _, seed) => {
    // Empty braces in prose are no call.
    if (Object.keys(value).length === 0) return undefined;
    const [before, after] = PROSE[seed % PROSE.length];
    return before + JSON.stringify(value) + after;
  },
  'a trailing comma': (value) => {
    const json = JSON.stringify(value);
    return json === '{}' ? undefined : `${json.slice(0, -1)},}`;
  },
  'single quotes': (value) => pythonRepr(value, { true: 'true', false: 'false', null: 'null' }),
  'literals of Python': (value) =>
    pythonRepr(value, { true: 'True', false: 'False', null: 'None' }),
  'double encoding': (value) => JSON.stringify(JSON.stringify(value)),
  'a wrapper': (value, { properties }, seed) => {
    const key = ['parameters', 'arguments', 'args', 'input'][seed % 4];
    return properties?.[key] ? undefined : JSON.stringify({ [key]: value });
  },
  'numbers as text': (value, schema) =>
    rewritten(value, schema, (item) => (typeof item === 'number' ? JSON.stringify(item) : item)),
  'booleans as text': (value, schema, seed) => {
    const [yes, no] = [
      ['true', 'false'],
      ['True', 'False'],
      ['TRUE', 'FALSE'],
    ][seed % 3];
    return rewritten(value, schema, (item) =>
      typeof item === 'boolean' ? (item ? yes : no) : item,
    );
  },
  'lists as JSON text': (value, schema) =>
    rewritten(value, schema, (item) => (Array.isArray(item) ? JSON.stringify(item) : item)),
  'missing brackets': (value, _, seed) => {
    const json = JSON.stringify(value);
    const closers = /[}\]]+$/.exec(json)?.[0].length ?? 0;
    const cut = json.slice(0, json.length - 1 - (seed % closers));
    // After a number, a literal or an opening bracket, nobody knows what is missing.
    // In a list of lists, nobody knows which bracket it was.
    return /["}\]]$/.test(cut) && !json.slice(cut.length).includes(']]') ? cut : undefined;
  },
  comments: (value) =>
    JSON.stringify(value, null, 2)
      .replace('{\n', '{ // the "arguments"\n')
      .replace(/\n\}$/, '\n/* that is all */ }'),
};

const PROSE = [
  ["Sure! Here's the call: ", ''],
  ['', '\n\nLet me know if that is what you meant.'],
  ['I will call the tool now.\n\n', '\n\nThat should be it; "done" as they say.'],
  ['Action Input: ', ';'],
] as const;

/** As `repr()` of Python writes it: double quotes only for text with an apostrophe. */
function pythonRepr(value: unknown, literals: Record<string, string>): string {
  if (value === null || typeof value === 'boolean') return literals[String(value)];
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
    return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
  }
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => pythonRepr(item, literals)).join(', ')}]`;
  }
  const fields = Object.entries(value).map(
    ([key, item]) => `${pythonRepr(key, literals)}: ${pythonRepr(item, literals)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Rewrites each value at whose place the schema names one type that the rewritten value has not. */
function rewritten(
  value: Record<string, unknown>,
  schema: JsonSchema,
  rewrite: (item: unknown) => unknown,
): string | undefined {
  let count = 0;
  const walk = (item: unknown, of: JsonSchema | undefined): unknown => {
    const next = isTyped(of) ? rewrite(item) : item;
    if (next !== item) {
      count++;
      return next;
    }
    if (Array.isArray(item)) return item.map((one) => walk(one, of?.items as JsonSchema));
    if (item === null || typeof item !== 'object') return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [key, walk(one, of?.properties?.[key])]),
    );
  };
  const result = JSON.stringify(walk(value, schema));
  return count > 0 ? result : undefined;
}

function isTyped(schema: JsonSchema | undefined): boolean {
  return typeof schema?.type === 'string' && schema.type !== 'string';
}
