/**
 * A schema made by TypeBox 0.34 (`@sinclair/typebox`), which holds its type as `static`, or by 1.x
 * (`typebox`), which holds the name of its kind.
 *
 * @publicApi
 */
export type TypeBoxSchema =
  { readonly static: unknown; readonly params: readonly unknown[] } | { readonly '~kind': string };

/**
 * The type that a TypeBox schema stands for. Of 1.x these are the kinds that JSON has; a kind that
 * needs TypeBox itself to be read is `unknown`, which is not checked.
 *
 * @publicApi
 */
export type InferTypeBox<Schema> = Schema extends {
  readonly static: infer Static;
  readonly params: readonly unknown[];
}
  ? Static
  : Schema extends { readonly '~kind': infer Kind }
    ? InferKind<Schema, Kind>
    : unknown;

type InferKind<Schema, Kind> = Kind extends 'String'
  ? string
  : Kind extends 'Number' | 'Integer'
    ? number
    : Kind extends 'Boolean'
      ? boolean
      : Kind extends 'Null'
        ? null
        : InferComposed<Schema>;

type InferComposed<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly '~kind': 'Object'; readonly properties: infer Properties }
    ? InferProperties<Properties>
    : Schema extends { readonly '~kind': 'Array'; readonly items: infer Item }
      ? InferTypeBox<Item>[]
      : Schema extends { readonly '~kind': 'Tuple'; readonly items: infer Items }
        ? { -readonly [Index in keyof Items]: InferTypeBox<Items[Index]> }
        : Schema extends { readonly '~kind': 'Union'; readonly anyOf: readonly (infer Branch)[] }
          ? InferEach<Branch>
          : Schema extends { readonly '~kind': 'Enum'; readonly enum: readonly (infer Value)[] }
            ? Value
            : unknown;

/** Over each member of a union, one by one. */
type InferEach<Branch> = Branch extends unknown ? InferTypeBox<Branch> : never;

type InferProperties<Properties> = Flatten<
  {
    -readonly [
      Key in keyof Properties as Properties[Key] extends Optional ? never : Key
    ]: InferTypeBox<Properties[Key]>;
  } & {
    -readonly [
      Key in keyof Properties as Properties[Key] extends Optional ? Key : never
    ]?: InferTypeBox<Properties[Key]>;
  }
>;

interface Optional {
  readonly '~optional': true;
}

type Flatten<Intersection> = { [Key in keyof Intersection]: Intersection[Key] };
