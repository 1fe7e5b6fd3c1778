import { TOOL_NAME_PATTERN } from '../agent-tools.constants.js';
import { checkTimeout } from './check-timeout.js';
import { createToolSchema } from '../schemas/create-tool-schema.js';
import type { ToolSchema } from '../schemas/interfaces/tool-schema.interface.js';
import { SchemaException } from '../schemas/schema.exception.js';
import { isBuiltIn } from '../schemas/sources/built-in-type.source.js';
import { fromParameters } from '../schemas/sources/parameters.source.js';
import { createSchema } from '../schemas/tool-schema.factory.js';
import type { DiscoveredTool } from './interfaces/discovered-tool.interface.js';
import type { ToolDefinition } from './interfaces/tool-definition.interface.js';
import type { ToolOptions } from './interfaces/tool-options.interface.js';

/** Stands as the type of the input of a tool that has none. */
export class NoInput {}

/** A tool without input still needs a schema: an empty one breaks the whole request on some servers. */
const NO_INPUT = createToolSchema(
  'none',
  { type: 'object', properties: {}, additionalProperties: false },
  () => ({ value: {} }),
);

/**
 * Turns a discovered method into a definition.
 *
 * @throws Error whose message is a problem for the boot error.
 */
export function describeTool(tool: DiscoveredTool): ToolDefinition {
  const name = tool.options.name ?? nameOfMethod(tool.methodName);
  return toDefinition(name, tool.options, describeInput(tool), {
    className: tool.hostClass.name,
    methodName: String(tool.methodName),
    moduleName: tool.wrapper?.host?.name ?? '',
  });
}

/** The definition of a tool from its options and its schema, with the defaults filled in. */
function toDefinition(
  name: string,
  options: ToolOptions,
  inputSchema: ToolSchema,
  host: ToolDefinition['host'],
): ToolDefinition {
  if (!TOOL_NAME_PATTERN.test(name)) {
    throw new Error(
      `The tool name "${name}" is not allowed: providers accept 1 to 64 letters, digits, "_" and "-" ` +
        'only. Set `name` in the options of @Tool().',
    );
  }
  checkTimeout(options.timeout, 'The tool');
  const { description = '' } = options;
  return {
    name,
    description: typeof description === 'string' ? description : description.join('\n'),
    inputSchema,
    effect: options.effect,
    idempotent: options.idempotent ?? false,
    parallel: options.parallel ?? true,
    timeout: options.timeout,
    errors: options.errors,
    strict: options.strict,
    metadata: options.metadata ?? {},
    host,
  };
}

function nameOfMethod(methodName: string | symbol): string {
  if (typeof methodName === 'string') return methodName;
  throw new Error('A method with a symbol for its name needs a `name` in the options of @Tool().');
}

function describeInput({ options, parameters }: DiscoveredTool): ToolSchema {
  const input = parameters.find(({ kind }) => kind === 'input');
  if (options.inputSchema !== undefined) {
    const schema = createSchema(options.inputSchema);
    if (!input && Object.keys(schema.jsonSchema.properties).length > 0) {
      throw new Error(
        'The tool has an `inputSchema`, but no parameter takes the input. Mark one with @ToolInput().',
      );
    }
    return schema;
  }
  if (input) return input.designType === NoInput ? NO_INPUT : describeInputType(input.designType);
  const fields = parameters.filter((parameter) => parameter.kind === 'field');
  if (fields.length === 0) return NO_INPUT;
  return fromParameters(
    fields.map(({ name, options: field, designType }) => ({
      ...field,
      name,
      required: field.required ?? true,
      designType,
    })),
  );
}

function describeInputType(designType: unknown): ToolSchema {
  if (typeof designType !== 'function' || isBuiltIn(designType)) {
    throw new SchemaException(
      `The type of the @ToolInput() parameter cannot be described: TypeScript's metadata says ` +
        `"${typeof designType === 'function' ? designType.name : String(designType)}". ` +
        'Set `inputSchema` in the options of @Tool(), or type the parameter by a class with ' +
        'class-validator decorators.',
    );
  }
  return createSchema(designType);
}
