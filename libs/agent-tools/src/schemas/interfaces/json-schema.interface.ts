/**
 * A JSON Schema, draft 2020-12. Only the keywords that this package reads are named; every other
 * keyword is kept as it is.
 *
 * @publicApi
 */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: boolean | JsonSchema | readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly [keyword: string]: unknown;
}

/**
 * A JSON Schema whose root is an object, the only form that every model provider accepts for the
 * input of a tool.
 *
 * @publicApi
 */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}
