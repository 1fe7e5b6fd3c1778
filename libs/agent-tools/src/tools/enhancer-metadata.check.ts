import type { Type } from '@nestjs/common';
import type { ToolDeclaration } from './interfaces/tool-declaration.interface.js';
import {
  ENHANCER_KINDS,
  type EnhancerKind,
  type ToolMetadataAccessor,
} from './tool-metadata.accessor.js';

/**
 * Nest keeps the enhancers of a method on its function, and so does `@Roles()` what guards decide by.
 * A decorator that replaces the method without copying its metadata loses both, and a guard would
 * silently not run, or allow what it should not. Whatever the functions that `@Tool()` saw carried and
 * the final one does not is lost. (Undetectable: metadata between two such wrappers without `@Tool`
 * between them.)
 */
export function lostMetadata(
  accessor: ToolMetadataAccessor,
  declaration: ToolDeclaration,
  handler: object,
): string[] {
  const lost = new Set<string>();
  for (const seen of declaration.seen) {
    for (const key of accessor.getDecoratorKeys(seen)) {
      const kind = kindOf(key);
      const isKept = kind
        ? keepsEnhancers(accessor, kind, seen, handler)
        : accessor.hasMetadata(key, handler);
      if (!isKept) lost.add(kind ? `its ${kind}s` : `its metadata "${String(key)}"`);
    }
  }
  return [...lost].map(
    (what) =>
      `A decorator that wraps the method lost ${what}. Put the decorator that sets it above the ` +
      'wrapping one, or let that one copy the metadata of the function it wraps.',
  );
}

/**
 * A subclass that overrides a tool without `@Tool()` keeps the declaration, and with it the enhancers
 * and the parameters, of the base class. What decorators say on such an override would be ignored.
 */
export function overridingMetadata(
  accessor: ToolMetadataAccessor,
  hostClass: Type<object>,
  declaringPrototype: object,
  methodName: string | symbol,
): string[] {
  const problems: string[] = [];
  let prototype = hostClass.prototype as object;
  while (prototype !== declaringPrototype) {
    const override: unknown = Object.getOwnPropertyDescriptor(prototype, methodName)?.value;
    if (typeof override === 'function') {
      const onMethod = accessor.getDecoratorKeys(override).map((key) => {
        const kind = kindOf(key);
        return kind ? `${kind}s` : `the metadata "${String(key)}"`;
      });
      const onParameters =
        accessor.getParameterEntries(prototype.constructor, methodName).length > 0;
      const all = onParameters ? [...onMethod, 'parameter decorators'] : onMethod;
      problems.push(...all.map(overrideProblem));
    }
    prototype = Object.getPrototypeOf(prototype) as object;
  }
  return problems;
}

function overrideProblem(what: string): string {
  return (
    `The override has ${what} but no @Tool(), so the tool would run with what the base class ` +
    'declares only. Repeat @Tool() on the override.'
  );
}

function kindOf(key: unknown): EnhancerKind | undefined {
  const kinds = Object.keys(ENHANCER_KINDS) as EnhancerKind[];
  return kinds.find((kind) => ENHANCER_KINDS[kind] === key);
}

function keepsEnhancers(
  accessor: ToolMetadataAccessor,
  kind: EnhancerKind,
  seen: object,
  handler: object,
): boolean {
  const kept = accessor.getEnhancers(kind, handler);
  return accessor.getEnhancers(kind, seen).every((enhancer) => kept.includes(enhancer));
}
