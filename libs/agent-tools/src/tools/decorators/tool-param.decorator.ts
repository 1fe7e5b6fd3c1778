import { createParamDecorator, type PipeTransform, type Type } from '@nestjs/common';
import type {
  InferSchemaOutput,
  SchemaSource,
} from '../../schemas/interfaces/schema-source.interface.js';
import type { ToolParamDecorator } from '../interfaces/tool-param-decorator.interface.js';
import type { ToolParamOptions } from '../interfaces/tool-param-options.interface.js';
import { currentCall } from './current-call.js';
import { markParameter } from './mark-parameter.js';

type Pipe = PipeTransform | Type<PipeTransform>;

const Field = createParamDecorator((name: string, context) => {
  const input = currentCall(context)?.input as Record<string, unknown> | undefined;
  return input !== undefined && Object.hasOwn(input, name) ? input[name] : undefined;
});

/**
 * Gives a tool method one field of the input. The name must be written: a JavaScript function does
 * not know the names of its parameters.
 *
 * ```ts
 * quote(@ToolParam('kilos', { required: false }, new DefaultValuePipe(1)) kilos: number) { … }
 * ```
 *
 * With a `schema` and no pipes, TypeScript refuses a parameter that does not accept what the schema
 * yields. (A raw JSON Schema cannot be checked.)
 *
 * @param pipes run after the validation, as on a controller's parameter
 * @publicApi
 */
export function ToolParam(name: string, ...pipes: Pipe[]): ParameterDecorator;
export function ToolParam<const Source extends SchemaSource = never>(
  name: string,
  options: ToolParamOptions<Source>,
): ToolParamDecorator<InferSchemaOutput<Source>>;
export function ToolParam(
  name: string,
  options: ToolParamOptions,
  ...pipes: Pipe[]
): ParameterDecorator;
export function ToolParam(name: string, ...rest: (ToolParamOptions | Pipe)[]): ParameterDecorator {
  const [first, ...others] = rest;
  const hasOptions = first !== undefined && !isPipe(first);
  const options: ToolParamOptions = hasOptions ? first : {};
  const pipes = (hasOptions ? others : rest) as Pipe[];
  return markParameter(Field(name, ...pipes), (index) => ({ kind: 'field', index, name, options }));
}

function isPipe(value: ToolParamOptions | Pipe): value is Pipe {
  return typeof value === 'function' || typeof (value as PipeTransform).transform === 'function';
}
