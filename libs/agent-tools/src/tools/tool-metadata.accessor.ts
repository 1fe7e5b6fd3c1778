import type { PipeTransform, Type } from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  MARKED_METHODS_METADATA,
  PARAMTYPES_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  TOOL_DECLARATIONS_METADATA,
  TOOL_OPTIONS_METADATA,
  TOOL_PARAMETERS_METADATA,
} from '../agent-tools.constants.js';
import type { ToolDeclaration } from './interfaces/tool-declaration.interface.js';
import type { ToolParameterMark } from './interfaces/tool-parameter.interface.js';

/** What Nest's parameter decorators store for each parameter. */
export interface ParameterEntry {
  readonly index: number;
  /** Only entries of `createParamDecorator` have one. */
  readonly factory?: (data: unknown, context: never) => unknown;
  readonly data?: unknown;
  readonly schema?: unknown;
  readonly pipes: readonly (PipeTransform | Type<PipeTransform>)[];
  readonly isCustom: boolean;
}

export const ENHANCER_KINDS = {
  guard: GUARDS_METADATA,
  interceptor: INTERCEPTORS_METADATA,
  pipe: PIPES_METADATA,
  filter: EXCEPTION_FILTERS_METADATA,
} as const;

/**
 * The kinds of Nest's enhancers.
 *
 * @publicApi
 */
/**
 * The kinds of enhancers that Nest has.
 *
 * @publicApi
 */
export type EnhancerKind = keyof typeof ENHANCER_KINDS;

/** All reads of metadata. It decides nothing and never touches an instance. */
export class ToolMetadataAccessor {
  /** The tools that one prototype declares itself, without what it inherits. */
  getOwnDeclarations(prototype: object): ReadonlyMap<string | symbol, ToolDeclaration> {
    return (
      (Reflect.getOwnMetadata(TOOL_DECLARATIONS_METADATA, prototype) as
        ReadonlyMap<string | symbol, ToolDeclaration> | undefined) ??
      new Map<string | symbol, ToolDeclaration>()
    );
  }

  /** The methods of one prototype that have a parameter decorator of ours. */
  getMarkedMethods(prototype: object): ReadonlySet<string | symbol> {
    return new Set(
      (Reflect.getOwnMetadata(MARKED_METHODS_METADATA, prototype) ?? []) as readonly (
        string | symbol
      )[],
    );
  }

  /** All keys that decorators left on a function, without those of the compiler and of `@Tool()`. */
  getDecoratorKeys(target: object): unknown[] {
    return (Reflect.getOwnMetadataKeys(target) as unknown[]).filter(
      (key) => key !== TOOL_OPTIONS_METADATA && !String(key).startsWith('design:'),
    );
  }

  getMetadata(key: unknown, target: object): unknown {
    return Reflect.getMetadata(key, target);
  }

  hasMetadata(key: unknown, target: object): boolean {
    return Reflect.hasMetadata(key, target);
  }

  getMarks(declaringClass: object, methodName: string | symbol): readonly ToolParameterMark[] {
    return (Reflect.getOwnMetadata(TOOL_PARAMETERS_METADATA, declaringClass, methodName) ??
      []) as readonly ToolParameterMark[];
  }

  getParameterEntries(
    declaringClass: object,
    methodName: string | symbol,
  ): readonly ParameterEntry[] {
    const entries = (Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, declaringClass, methodName) ??
      {}) as Record<string, Omit<ParameterEntry, 'isCustom'>>;
    // Nest 11 copies the entries of an overridden method into those of its override.
    const base: unknown = Object.getPrototypeOf(declaringClass);
    const inherited = (typeof base === 'function' &&
      Reflect.getMetadata(ROUTE_ARGS_METADATA, base, methodName)) as typeof entries | undefined;
    return Object.entries(entries)
      .filter(([key, entry]) => !inherited || inherited[key] !== entry)
      .map(([key, entry]) => ({
        ...entry,
        pipes: entry.pipes ?? [],
        isCustom: key.includes(CUSTOM_ROUTE_ARGS_METADATA),
      }));
  }

  getParameterTypes(
    prototype: object,
    methodName: string | symbol,
  ): readonly unknown[] | undefined {
    return Reflect.getOwnMetadata(PARAMTYPES_METADATA, prototype, methodName) as
      readonly unknown[] | undefined;
  }

  /** The enhancers on a class (inherited ones included) or on a method, in the order of their declaration. */
  getEnhancers(kind: EnhancerKind, target: object): readonly unknown[] {
    return (Reflect.getMetadata(ENHANCER_KINDS[kind], target) ?? []) as readonly unknown[];
  }
}
