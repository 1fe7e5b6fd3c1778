import type { PipeTransform } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { standardPropsOf } from '../../schemas/sources/standard-schema.source.js';
import type { ToolParameter } from '../../tools/interfaces/tool-parameter.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import type { ToolExecutionContext } from '../tool-execution-context.js';
import { ValidatedMetadata } from './validated-metadata.js';

type ArgumentMetadata = Parameters<PipeTransform['transform']>[1];

/** A parameter with its value's source, resolved once. */
interface BoundParameter {
  readonly index: number;
  readonly extract: (call: ToolCall, context: ToolExecutionContext) => unknown;
  readonly isInjected: boolean;
  readonly metadata: ArgumentMetadata;
  /** The schema that pipes get to see, if the value was validated by a Standard Schema. */
  readonly validated?: StandardSchemaV1 | undefined;
}

/** Fills the arguments of a tool method and runs the pipes on them, in Nest's order. */
export class ParameterBinder {
  private readonly parameters: readonly BoundParameter[];

  /**
   * @param inputSchema what the application gave as the schema of the whole input
   */
  constructor(parameters: readonly ToolParameter[], inputSchema?: unknown) {
    this.parameters = parameters.map((parameter) => bindParameter(parameter, inputSchema));
  }

  /**
   * @param pipes those of the application, the class and the method; they run before the
   * parameter's own
   * @param ownPipes those of each parameter
   * @returns the arguments, or a promise of them if a pipe or a decorator is asynchronous
   */
  bind(
    call: ToolCall,
    context: ToolExecutionContext,
    pipes: readonly PipeTransform[],
    ownPipes: readonly (readonly PipeTransform[])[],
  ): unknown[] | Promise<unknown[]> {
    const values: unknown[] = [];
    const pending: Promise<unknown>[] = [];
    try {
      for (let position = 0; position < this.parameters.length; position++) {
        const parameter = this.parameters[position];
        const shared = parameter.isInjected ? NO_PIPES : pipes;
        const extracted = parameter.extract(call, context);
        const value = runPipes(extracted, parameter, shared, ownPipes[position]);
        values[parameter.index] = value;
        if (isThenable(value)) pending.push(fill(values, parameter.index, value));
      }
    } catch (error) {
      // The first error is the one that counts, but the others must not become unhandled rejections.
      for (const promise of pending) promise.catch(() => undefined);
      throw error;
    }
    return pending.length > 0 ? Promise.all(pending).then(() => values) : values;
  }
}

const NO_PIPES: readonly PipeTransform[] = [];

async function fill(values: unknown[], index: number, value: Promise<unknown>): Promise<void> {
  values[index] = await value;
}

/** Runs the shared pipes, then the parameter's own. */
function runPipes(
  value: unknown,
  { metadata, validated }: BoundParameter,
  shared: readonly PipeTransform[],
  own: readonly PipeTransform[],
): unknown {
  if (shared.length + own.length === 0) return value;
  const told = validated ? new ValidatedMetadata(metadata, validated, value) : metadata;
  return transform(value, shared, own, told, 0);
}

/** Returns a promise only if one of the pipes is asynchronous. */
function transform(
  value: unknown,
  shared: readonly PipeTransform[],
  own: readonly PipeTransform[],
  metadata: ArgumentMetadata,
  from: number,
): unknown {
  const count = shared.length + own.length;
  let result = value;
  let index = from;
  for (; index < count && !isThenable(result); index++) {
    const pipe = index < shared.length ? shared[index] : own[index - shared.length];
    result = pipe.transform(result, metadata);
  }
  return index < count && isThenable(result)
    ? toPromise(result).then((settled) => transform(settled, shared, own, metadata, index))
    : result;
}

function bindParameter(parameter: ToolParameter, inputSchema: unknown): BoundParameter {
  const { index, designType } = parameter;
  return {
    index,
    extract: extractorOf(parameter),
    isInjected: ['call', 'signal', 'context'].includes(parameter.kind),
    validated: ownSchemaOf(parameter, inputSchema),
    metadata: {
      type: 'custom',
      metatype: designType,
      data: dataOf(parameter),
      // Nest 12 hands the `schema` of a parameter decorator to its StandardSchemaValidationPipe.
      ...(parameter.kind === 'custom' ? { schema: parameter.schema } : {}),
    } as ArgumentMetadata,
  };
}

/** The Standard Schema by which a value that the model gave was validated. */
function ownSchemaOf(parameter: ToolParameter, inputSchema: unknown): StandardSchemaV1 | undefined {
  const schema =
    parameter.kind === 'field'
      ? parameter.options.schema
      : parameter.kind === 'input'
        ? inputSchema
        : undefined;
  return standardPropsOf(schema) ? (schema as StandardSchemaV1) : undefined;
}

function dataOf(parameter: ToolParameter): unknown {
  if (parameter.kind === 'field') return parameter.name;
  return parameter.kind === 'custom' ? parameter.data : undefined;
}

function extractorOf(parameter: ToolParameter): BoundParameter['extract'] {
  switch (parameter.kind) {
    case 'input':
      return (call) => call.input;
    case 'field': {
      const { name } = parameter;
      return ({ input }) =>
        Object.hasOwn(input as object, name) ? (input as Record<string, unknown>)[name] : undefined;
    }
    case 'call':
      return (call) => call;
    case 'signal':
      return (call) => call.signal;
    case 'context': {
      const { key } = parameter;
      if (key === undefined) return (call) => call.run.context;
      return (call) => (call.run.context as Record<string, unknown>)[key];
    }
    case 'custom': {
      const { factory, data } = parameter;
      return (_call, context) => factory(data, context);
    }
  }
}
