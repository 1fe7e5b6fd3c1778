import type { SchemaSource } from '../../schemas/interfaces/schema-source.interface.js';
import type { ToolConcurrency, ToolPolicy } from './tool-policy.interface.js';

/**
 * What a call does to the world: `read` changes nothing, `write` changes something that can be
 * undone or repeated, `destructive` something that cannot.
 *
 * @publicApi
 */
export type ToolEffect = 'read' | 'write' | 'destructive';

/**
 * Options of `@Tool()`.
 *
 * @publicApi
 */
export interface ToolOptions<
  Source extends SchemaSource | undefined = SchemaSource | undefined,
  OutputSource extends SchemaSource | undefined = SchemaSource | undefined,
> extends ToolPolicy {
  /**
   * The name of the tool. Providers accept 1 to 64 letters, digits, `_` and `-`, of which the first
   * is no digit or `-`; a model gets any other name in such a form, and its calls are mapped back.
   * @default the name of the method
   */
  readonly name?: string;

  /**
   * What the tool does, when to use it and when not. Lines are joined by line breaks.
   * @default none, with a warning at boot
   */
  readonly description?: string | readonly string[];

  /**
   * Describes and validates the whole input: a zod, arktype or valibot schema, a class with
   * class-validator or `@ApiProperty()` decorators or made by `createZodDto()`, a TypeBox schema, or
   * a JSON Schema object.
   * @default the type of the `@ToolInput()` parameter, or the `@ToolParam()`s put together
   */
  readonly inputSchema?: Source;

  /**
   * Describes and validates what the tool returns, after interceptors and filters. It is made from
   * the same sources, and may be of any type. The model gets what the schema yields; a result that
   * breaks it is an error of the call, and is logged as one of the application.
   * @default undefined (not checked)
   */
  readonly outputSchema?: OutputSource;

  /**
   * Decides about `retry` and about an `approve` in `toolDefaults`, and is part of the MCP export.
   * @default undefined (not declared)
   */
  readonly effect?: ToolEffect;

  /**
   * Whether a second call with the same input changes nothing more. Allows `retry`, and is part of the
   * MCP export.
   * @default false
   */
  readonly idempotent?: boolean;

  /**
   * How many calls of this tool run at the same time in the whole application. Those beyond it wait;
   * `queue` says how many at most (100).
   * @default the module's `toolDefaults.concurrency`, else unlimited
   */
  readonly concurrency?: ToolConcurrency;

  /**
   * Asks the provider to make the model follow the schema exactly.
   * @default undefined (the provider's default)
   */
  readonly strict?: boolean;

  /**
   * Anything the application wants to find again on the tool definition. Never sent to a model.
   * @default {}
   */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
