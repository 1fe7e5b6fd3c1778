import { MARKED_METHODS_METADATA, TOOL_PARAMETERS_METADATA } from '../../agent-tools.constants.js';
import type { ToolParameterMark } from '../interfaces/tool-parameter.interface.js';

/**
 * Each of our parameter decorators is one made by Nest's `createParamDecorator`, so pipes and
 * Nest's own executor understand it, plus a mark that tells the explorer what it stands for.
 */
export function markParameter(
  nestDecorator: ParameterDecorator,
  toMark: (index: number) => ToolParameterMark,
): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) {
      throw new TypeError(
        `A tool parameter decorator stands on the constructor of "${(target as { name?: string }).name}". ` +
          'Put it on a parameter of a @Tool() method.',
      );
    }
    nestDecorator(target, key, index);
    const marked = (Reflect.getOwnMetadata(MARKED_METHODS_METADATA, target) ?? []) as readonly (
      string | symbol
    )[];
    Reflect.defineMetadata(MARKED_METHODS_METADATA, [...marked, key], target);
    const marks = (Reflect.getOwnMetadata(TOOL_PARAMETERS_METADATA, target.constructor, key) ??
      []) as readonly ToolParameterMark[];
    Reflect.defineMetadata(
      TOOL_PARAMETERS_METADATA,
      [...marks, toMark(index)],
      target.constructor,
      key,
    );
  };
}
