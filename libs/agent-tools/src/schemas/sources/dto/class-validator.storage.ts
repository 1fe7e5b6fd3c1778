import type { Type } from '@nestjs/common';
import { type ClassValidator, findClassValidator } from './packages.js';

type Storage = ReturnType<ClassValidator['getMetadataStorage']>;

/** One rule on one property. */
export type Rule = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/** The function behind a rule. */
export type RuleCheck = ReturnType<Storage['getTargetValidatorConstraints']>[number]['instance'];

/**
 * All rules that hold for a class, inherited ones included, as `validate()` applies them without
 * `groups`: those that name groups hold, too.
 */
export function rulesOf(target: Type): readonly Rule[] {
  const storage = findClassValidator()?.getMetadataStorage();
  if (!storage) return [];
  const { validationMetadatas } = storage as unknown as {
    validationMetadatas?: ReadonlyMap<unknown, readonly Rule[]>;
  };
  if (typeof validationMetadatas?.get !== 'function') {
    return storage.getTargetValidationMetadatas(target, '', false, false);
  }
  return rulesFrom(validationMetadatas, target);
}

/** What the storage's own method gives, which looks at every class of the application each time. */
function rulesFrom(byClass: ReadonlyMap<unknown, readonly Rule[]>, target: Type): readonly Rule[] {
  const own = byClass.get(target) ?? [];
  const inherited: Rule[] = [];
  let base: unknown = Object.getPrototypeOf(target);
  while (typeof base === 'function' && base !== Function.prototype) {
    const rules = byClass.get(base) ?? [];
    inherited.unshift(...rules.filter((rule) => !own.some((one) => replaces(one, rule))));
    base = Object.getPrototypeOf(base);
  }
  return [...own, ...inherited];
}

function replaces(own: Rule, inherited: Rule): boolean {
  return own.propertyName === inherited.propertyName && own.type === inherited.type;
}

/** The check of one of the library's own rules, whose classes need nothing. */
export function ownCheckOf({ constraintCls }: Rule): RuleCheck {
  return new (constraintCls as unknown as Type<RuleCheck>)();
}

/** The check of a rule of the application, whose class the container makes. */
export function customCheckOf(rule: Rule): RuleCheck | undefined {
  if (!rule.constraintCls) return undefined;
  const storage = findClassValidator()?.getMetadataStorage();
  try {
    return storage?.getTargetValidatorConstraints(rule.constraintCls)[0]?.instance;
  } catch {
    // The container cannot make it yet.
    return undefined;
  }
}
