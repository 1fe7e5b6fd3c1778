import type { Type } from '@nestjs/common';

/** The prototypes of a class, from its own to the last before `Object.prototype`. */
export function prototypeChain(target: Type<object>): object[] {
  const chain: object[] = [];
  let prototype = target.prototype as object | null;
  while (prototype && prototype !== Object.prototype) {
    chain.push(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}
