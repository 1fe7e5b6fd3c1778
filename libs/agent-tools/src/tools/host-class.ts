import type { Type } from '@nestjs/common';
import type { ProviderWrapper } from './interfaces/discovered-tool.interface.js';

/**
 * The class whose prototype holds a provider's methods, for every form of registration, or
 * undefined if there is none. Nothing is read from the instance but its prototype: getters may have
 * side effects, and a proxy of nestjs-cls throws on every other read.
 */
export function hostClassOf(wrapper: ProviderWrapper): Type<object> | undefined {
  if (!wrapper.isNotMetatype) return asClass(wrapper.metatype);
  const token = asClass(wrapper.token);
  const made = classOfInstance(wrapper.instance);
  // A factory under a class token may return a subclass.
  if (token) return made && made.prototype instanceof token ? made : token;
  return made;
}

function classOfInstance(instance: unknown): Type<object> | undefined {
  if (instance === null || typeof instance !== 'object') return undefined;
  const prototype = prototypeOf(instance);
  if (!prototype || prototype === Object.prototype) return undefined;
  const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return asClass(constructor);
}

/** A revoked proxy and some exotic objects throw here; they are no hosts. */
function prototypeOf(instance: object): object | null {
  try {
    return Object.getPrototypeOf(instance) as object | null;
  } catch {
    return null;
  }
}

function asClass(value: unknown): Type<object> | undefined {
  return typeof value === 'function' &&
    typeof value.prototype === 'object' &&
    value.prototype !== null
    ? (value as Type<object>)
    : undefined;
}
