import { isClass } from '../schemas/sources/dto-class.source.js';
import { isBuiltIn } from '../schemas/sources/built-in-type.source.js';
import type {
  ToolParameter,
  ToolParameterMark,
  ToolParameterSource,
} from './interfaces/tool-parameter.interface.js';
import type { ParameterEntry, ToolMetadataAccessor } from './tool-metadata.accessor.js';

export interface ParametersReading {
  readonly parameters: readonly ToolParameter[];
  readonly problems: readonly string[];
}

/** Finds out for each parameter of a tool method where its value comes from. */
export class ToolParametersReader {
  constructor(private readonly accessor: ToolMetadataAccessor) {}

  read(
    prototype: object,
    methodName: string | symbol,
    handler: (...args: never[]) => unknown,
    hasInputSchema: boolean,
  ): ParametersReading {
    const declaringClass = prototype.constructor;
    const marks = this.accessor.getMarks(declaringClass, methodName);
    const entries = this.accessor.getParameterEntries(declaringClass, methodName);
    const types = this.accessor.getParameterTypes(prototype, methodName) ?? [];
    const count = Math.max(types.length, handler.length, ...entries.map(({ index }) => index + 1));
    const problems: string[] = [];
    const parameters: ToolParameter[] = [];

    for (let index = 0; index < count; index++) {
      const designType = types[index];
      const own = entries.filter((entry) => entry.index === index);
      const mark = marks.find((candidate) => candidate.index === index);
      const source = sourceOf(own, mark);
      if (typeof source === 'object') {
        parameters.push({ ...source, index, designType, pipes: own[0].pipes });
      } else if (source === 'none' && count === 1 && isInput(designType, hasInputSchema)) {
        parameters.push({ kind: 'input', index, designType, pipes: [] });
      } else {
        const isErased = source === 'none' && (designType === Object || designType === Function);
        problems.push(`Parameter ${index + 1} ${REMEDIES[source]}${isErased ? ERASED : ''}`);
      }
    }
    return { parameters, problems: [...problems, ...contradictions(parameters, hasInputSchema)] };
  }
}

const ERASED =
  ' (If its type is a class, import it without `type`: nothing is left of it at run time.)';

const REMEDIES = {
  none:
    'is neither described nor injected. Mark it with @ToolInput() or @ToolParam(name) if the model ' +
    'gives it, or with @CurrentToolCall(), @ToolSignal(), @RunContext() or your own parameter ' +
    'decorator if the application does.',
  several: 'has more than one parameter decorator. Keep the one that gives its value.',
  http:
    'has a decorator for HTTP handlers, which has no value in a tool call. Use @ToolInput() or ' +
    '@ToolParam(name), or a decorator made with createParamDecorator().',
} as const;

function sourceOf(
  entries: readonly ParameterEntry[],
  mark: ToolParameterMark | undefined,
): ToolParameterSource | keyof typeof REMEDIES {
  if (entries.length === 0) return 'none';
  if (entries.length > 1) return 'several';
  const [{ isCustom, factory, data, schema }] = entries;
  if (mark) return mark;
  if (!isCustom || !factory) return 'http';
  return { kind: 'custom', factory: factory as never, data, schema };
}

/** A sole parameter needs no decorator if it can only be the input. */
function isInput(designType: unknown, hasInputSchema: boolean): boolean {
  return hasInputSchema || (isClass(designType) && !isBuiltIn(designType));
}

function contradictions(parameters: readonly ToolParameter[], hasInputSchema: boolean): string[] {
  const inputs = parameters.filter(({ kind }) => kind === 'input');
  const fields = parameters.filter((parameter) => parameter.kind === 'field');
  const problems: string[] = [];
  if (inputs.length > 0 && fields.length > 0) {
    problems.push('@ToolInput() and @ToolParam() exclude each other. Use one of them.');
  }
  if (hasInputSchema && fields.length > 0) {
    problems.push(
      'An `inputSchema` describes the whole input, so it goes with @ToolInput(), not with ' +
        '@ToolParam(). Give the parameters a `schema` each instead.',
    );
  }
  const names = fields.map(({ name }) => name);
  for (const name of new Set(names.filter((item, index) => names.indexOf(item) !== index))) {
    problems.push(`Two parameters are named "${name}". Give each @ToolParam() a name of its own.`);
  }
  if (names.includes('__proto__')) problems.push('"__proto__" cannot be the name of a parameter.');
  return problems;
}
