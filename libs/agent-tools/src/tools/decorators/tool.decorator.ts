import { TOOL_DECLARATIONS_METADATA, TOOL_OPTIONS_METADATA } from '../../agent-tools.constants.js';
import { rememberDeclared } from '../declared-classes.js';
import type {
  InferSchemaInput,
  InferSchemaOutput,
  SchemaSource,
} from '../../schemas/interfaces/schema-source.interface.js';
import type { ToolDeclaration } from '../interfaces/tool-declaration.interface.js';
import type { ToolMethodDecorator } from '../interfaces/tool-method.interface.js';
import type { ToolOptions } from '../interfaces/tool-options.interface.js';

/**
 * Marks a method of a provider as a tool that a language model may call.
 *
 * With an `inputSchema`, TypeScript refuses a method none of whose parameters accepts what the
 * schema yields; with an `outputSchema`, one that returns what the schema does not accept. (A raw
 * JSON Schema cannot be checked.)
 *
 * ```ts
 * @Tool({ description: 'Look up one order by its number.', inputSchema: z.object({ orderNo: z.string() }) })
 * findOrder(@ToolInput() input: { orderNo: string }) { … }
 * ```
 *
 * @publicApi
 */
export function Tool(description?: string | readonly string[]): ToolMethodDecorator<unknown>;
export function Tool<
  const Source extends SchemaSource | undefined = undefined,
  const OutputSource extends SchemaSource | undefined = undefined,
>(
  options: ToolOptions<Source, OutputSource>,
): ToolMethodDecorator<InferSchemaOutput<Source>, InferSchemaInput<OutputSource>>;
export function Tool(
  given: string | readonly string[] | ToolOptions = {},
): ToolMethodDecorator<unknown> {
  const options: ToolOptions =
    typeof given === 'string' || isLines(given) ? { description: given } : given;

  return (target, key, descriptor) => {
    const method: unknown = descriptor?.value;
    if (typeof target === 'function' || typeof method !== 'function') {
      throw new TypeError(
        `@Tool() on "${describeTarget(target, key)}" has no effect there. Put it on an instance method.`,
      );
    }
    const declared: unknown = Object.getOwnPropertyDescriptor(target, key)?.value;
    const seen =
      declared instanceof Function && declared !== method ? [method, declared] : [method];
    const declarations = declarationsOf(target);
    // A second @Tool() must not forget what the first one saw.
    const earlier = declarations.get(key)?.seen ?? [];
    declarations.set(key, { methodName: key, options, seen: [...earlier, ...seen] });
    Reflect.defineMetadata(TOOL_OPTIONS_METADATA, options, method);
  };
}

function isLines(given: readonly string[] | ToolOptions): given is readonly string[] {
  return Array.isArray(given);
}

function declarationsOf(prototype: object): Map<string | symbol, ToolDeclaration> {
  let declarations = Reflect.getOwnMetadata(TOOL_DECLARATIONS_METADATA, prototype) as
    Map<string | symbol, ToolDeclaration> | undefined;
  if (!declarations) {
    declarations = new Map();
    rememberDeclared(prototype);
    Reflect.defineMetadata(TOOL_DECLARATIONS_METADATA, declarations, prototype);
  }
  return declarations;
}

function describeTarget(target: object, key: string | symbol): string {
  const className = typeof target === 'function' ? target.name : target.constructor.name;
  return `${className}.${String(key)}`;
}
