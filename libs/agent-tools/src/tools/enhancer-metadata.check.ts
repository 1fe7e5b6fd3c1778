import type { Type } from '@nestjs/common';
import type { ToolDeclaration } from './interfaces/tool-declaration.interface.js';
import type { EnhancerKind, ToolMetadataAccessor } from './tool-metadata.accessor.js';

/**
 * Nest keeps method enhancers on the function, so a decorator that replaces the method without
 * copying its metadata loses them, and a guard would silently not run. Whatever the functions that
 * `@Tool()` saw carried and the final one does not is lost. (Undetectable: `@UseGuards` between two
 * such wrappers without `@Tool` between them.)
 */
export function lostEnhancers(
  accessor: ToolMetadataAccessor,
  declaration: ToolDeclaration,
  handler: object,
): string[] {
  const lost = new Set<EnhancerKind>();
  for (const seen of declaration.seen) {
    for (const kind of accessor.getEnhancerKinds(seen)) {
      const kept = accessor.getEnhancers(kind, handler);
      if (!accessor.getEnhancers(kind, seen).every((item) => kept.includes(item))) lost.add(kind);
    }
  }
  return [...lost].map(
    (kind) =>
      `A decorator that wraps the method lost its ${kind}s. Put ${decoratorOf(kind)} above the ` +
      'wrapping decorator, or let that one copy the metadata of the function it wraps.',
  );
}

/**
 * A subclass that overrides a tool without `@Tool()` keeps the declaration, and with it the
 * enhancers, of the base class. Enhancers on such an override would never run.
 */
export function overridingEnhancers(
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
      for (const kind of accessor.getEnhancerKinds(override)) {
        problems.push(
          `The override has ${kind}s but no @Tool(), so the tool would run with those of the base ` +
            'class only. Repeat @Tool() on the override.',
        );
      }
    }
    prototype = Object.getPrototypeOf(prototype) as object;
  }
  return problems;
}

function decoratorOf(kind: EnhancerKind): string {
  return `@Use${kind.charAt(0).toUpperCase()}${kind.slice(1)}s()`;
}
