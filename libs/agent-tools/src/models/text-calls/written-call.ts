import { isHarmless, keysOf, type CallKeys } from './call.keys.js';
import { fieldsOf, type JsonField } from './json.fields.js';

/** Some put name and arguments into an object of their own. */
const WRAPPER = 'function';

/** An object that names a tool, taken apart. */
export interface WrittenCall {
  readonly name: string;
  /** The values of all keys for arguments, as they are written. */
  readonly args: readonly string[];
  /** The fields beside name and arguments. */
  readonly others: readonly JsonField[];
  /** Whether all of the text was read, and nothing stands around these fields. */
  readonly isWhole: boolean;
  /** Whether there are arguments, and nothing else that could mean something for the tool. */
  readonly isClear: boolean;
  /** Whether it has only keys that calls have. */
  readonly isKnown: boolean;
}

/** Takes an object apart, if the name in it is one of the tools. */
export function takeApart(
  object: string,
  names: ReadonlySet<string>,
  keys: CallKeys,
): WrittenCall | undefined {
  const outer = fieldsOf(object);
  const wrapper = keys.names.includes(WRAPPER)
    ? outer.fields.find(({ key, value }) => key === WRAPPER && value.startsWith('{'))
    : undefined;
  const inner = wrapper ? fieldsOf(wrapper.value) : outer;
  const named = nameIn(inner.fields, keys);
  const name = unquote(named?.value ?? '');
  if (!names.has(name)) return undefined;

  const around = wrapper ? outer.fields.filter((field) => field !== wrapper) : [];
  const beside = inner.fields.filter((field) => field !== named);
  const args = beside.filter(({ key }) => keys.arguments.includes(key)).map(({ value }) => value);
  const others = beside.filter(({ key }) => !keys.arguments.includes(key));
  const known = keysOf(keys);
  const saysNothing = ({ key, value }: JsonField): boolean =>
    isHarmless(key, value) || (keys.names.includes(key) && unquote(value) === name);
  const isWhole = outer.isWhole && inner.isWhole && around.every(saysNothing);
  return {
    name,
    args,
    others,
    isWhole,
    // Broken JSON may end behind the key.
    isClear: isWhole && args.length === 1 && args[0] !== '' && others.every(saysNothing),
    isKnown: [...outer.fields, ...inner.fields].every(({ key }) => known.includes(key)),
  };
}

function nameIn(fields: readonly JsonField[], { names }: CallKeys): JsonField | undefined {
  for (const name of names) {
    const field = fields.find(({ key }) => key === name);
    if (field) return field;
  }
  return undefined;
}

export function unquote(text: string): string {
  return text.replace(/^["']|["']$/g, '');
}
