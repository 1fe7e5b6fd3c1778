import type { Type } from '@nestjs/common';
import type { ProviderWrapper } from './interfaces/discovered-tool.interface.js';

/**
 * The class whose prototype holds a provider's methods, for every form of registration, or
 * undefined if there is none. Nothing is read from the instance but its prototype: getters may have
 * side effects, and a proxy of nestjs-cls throws on every other read.
 */
export function hostClassOf(wrapper: ProviderWrapper): Type<object> | undefined {
  if (!wrapper.isNotMetatype) return asClass(wrapper.metatype);
  // A factory or a value under a class token may be of a subclass or of another class: what is called
  // is the method of the instance, so its class counts. A plain object (a mock, a proxy of nestjs-cls)
  // stands for the class that is the token.
  return classOfInstance(wrapper.instance) ?? classTokenOf(wrapper);
}

/** The class under which a factory or a value is provided. */
export function classTokenOf(wrapper: ProviderWrapper): Type<object> | undefined {
  return wrapper.isNotMetatype ? asClass(wrapper.token) : undefined;
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
