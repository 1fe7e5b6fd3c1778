import type { Type } from '@nestjs/common';

export function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function' && value.prototype?.constructor === value;
}
