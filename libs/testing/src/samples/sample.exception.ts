import type { AnySchema } from './plain-schema.js';

const MAX_QUOTE = 160;

/** No value was found for a schema. */
export class SampleException extends Error {
  /** @param path A JSON pointer into the arguments. */
  constructor(path: string, schema: AnySchema) {
    const pattern = typeof schema === 'object' ? schema.pattern : undefined;
    const reason =
      typeof pattern === 'string'
        ? `no text was found for the pattern /${pattern}/`
        : `no value was found for ${quote(schema)}`;
    super(`at ${path || 'the root'} ${reason}`);
    this.name = 'SampleException';
  }
}

function quote(schema: AnySchema): string {
  const text = JSON.stringify(schema).toWellFormed();
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE).toWellFormed()}…` : text;
}
