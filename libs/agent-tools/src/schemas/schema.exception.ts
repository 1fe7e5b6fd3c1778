/**
 * A type cannot be described as JSON Schema. The message names the place and what to write
 * instead. The boot error collects them.
 *
 * @publicApi
 */
export class SchemaException extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaException';
  }
}
