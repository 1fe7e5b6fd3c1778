import { TOOL_NAME_PATTERN } from '../agent-tools.constants.js';
import { toChatToolName } from './chat-tool-name.js';
import { checkConcurrency, checkPolicy } from './check-policy.js';
import { createToolSchema } from '../schemas/create-tool-schema.js';
import type { ToolOutputSchema, ToolSchema } from '../schemas/interfaces/tool-schema.interface.js';
import { SchemaException } from '../schemas/schema.exception.js';
import { isBuiltIn } from '../schemas/sources/built-in-type.source.js';
import { fromParameters } from '../schemas/sources/parameters.source.js';
import { createOutputSchema, createSchema } from '../schemas/tool-schema.factory.js';
import type { DiscoveredTool } from './interfaces/discovered-tool.interface.js';
import type { ToolDefinition } from './interfaces/tool-definition.interface.js';
import type { ToolPolicy } from './interfaces/tool-policy.interface.js';
import type { ToolOptions } from './interfaces/tool-options.interface.js';
import { errorMessage } from '../utils/error-message.js';

/** Stands as the type of the input of a tool that has none. */
export class NoInput {}

/** Of the compiler's making, so that none is forgotten. */
const POLICY_OPTIONS: Record<keyof ToolPolicy, true> = {
  timeout: true,
  retry: true,
  parallel: true,
  returnDirect: true,
  maxResultLength: true,
  resultConverter: true,
  errors: true,
  approve: true,
  maxCorrections: true,
  onArgumentsError: true,
  onExecutionError: true,
};

const POLICY_KEYS = Object.keys(POLICY_OPTIONS) as (keyof ToolPolicy)[];

/** A tool without input still needs a schema: an empty one breaks the whole request on some servers. */
const NO_INPUT: ToolSchema = createToolSchema(
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
  const schemas = { inputSchema: describeInput(tool), outputSchema: describeOutput(tool.options) };
  return toDefinition(name, tool.options, schemas, {
    className: tool.hostClass.name,
    methodName: String(tool.methodName),
    moduleName: tool.wrapper?.host?.name ?? '',
  });
}

/** The definition of a tool from its options and its schemas, with the defaults filled in. */
function toDefinition(
  name: string,
  options: ToolOptions,
  schemas: Pick<ToolDefinition, 'inputSchema' | 'outputSchema'>,
  host: ToolDefinition['host'],
): ToolDefinition {
  if (!TOOL_NAME_PATTERN.test(name)) {
    throw new Error(
      `The tool name "${name}" is not allowed: a name has 1 to 256 characters, none of them a control ` +
        'character, and no blank at its ends. Set `name` in the options of @Tool().',
    );
  }
  checkOptions(options);
  const { description = '' } = options;
  return {
    name,
    chatName: toChatToolName(name),
    description: typeof description === 'string' ? description : description.join('\n'),
    ...schemas,
    effect: options.effect,
    idempotent: options.idempotent ?? false,
    policy: policyOf(options),
    concurrency: options.concurrency,
    strict: options.strict,
    metadata: options.metadata ?? {},
    host,
  };
}

/** What the options say about the calls, without the rest. */
function policyOf(options: ToolOptions): ToolPolicy {
  const policy: Record<string, unknown> = {};
  for (const key of POLICY_KEYS) {
    if (options[key] !== undefined) policy[key] = options[key];
  }
  return policy;
}

function checkOptions(options: ToolOptions): void {
  checkPolicy(options, 'The tool');
  checkConcurrency(options.concurrency, 'The tool');
  const { retry } = options;
  const times = typeof retry === 'object' ? retry.times : retry;
  if (!times || options.idempotent || options.effect === 'read') return;
  throw new Error(
    'The tool has `retry`, but a second call might do its work twice. Say that it is `idempotent: true` ' +
      "or has `effect: 'read'`, or remove `retry`.",
  );
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
      designType,
    })),
  );
}

function describeOutput({ outputSchema }: ToolOptions): ToolOutputSchema | undefined {
  if (outputSchema === undefined) return undefined;
  try {
    return createOutputSchema(outputSchema);
  } catch (error) {
    throw new SchemaException(`In the \`outputSchema\`: ${errorMessage(error)}`, { cause: error });
  }
}

function describeInputType(designType: unknown): ToolSchema {
  if (typeof designType !== 'function' || isBuiltIn(designType)) {
    const isErased = designType === Object || designType === Function;
    throw new SchemaException(
      `The type of the @ToolInput() parameter cannot be described: TypeScript's metadata says ` +
        `"${typeof designType === 'function' ? designType.name : String(designType)}". ` +
        (isErased
          ? 'An interface, or a class that came by `import type`, leaves nothing else: import the class ' +
            'without `type`. '
          : '') +
        'Set `inputSchema` in the options of @Tool(), or type the parameter by a class with ' +
        'class-validator or @ApiProperty() decorators.',
    );
  }
  return createSchema(designType);
}
