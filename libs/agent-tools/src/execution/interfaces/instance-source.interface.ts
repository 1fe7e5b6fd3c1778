import type { ContextId } from '@nestjs/core';
import type { InstanceScope } from '../../tools/interfaces/tool-explanation.interface.js';

/** Where the instance of a host, an enhancer or a converter comes from. */
export type InstanceSource<T extends object = object> = StaticSource<T> | ScopedSource<T>;

/** One instance for the whole application. */
export interface StaticSource<T extends object = object> {
  readonly isStatic: true;
  readonly instance: T;
}

/** An instance for each context. A context asks again and gets the same one. */
export interface ScopedSource<T extends object = object> {
  readonly isStatic: false;
  /** Of the class; of a factory the token. */
  readonly name: string;
  readonly scope: InstanceScope;
  /** A promise unless it is there already. */
  resolve(contextId: ContextId): T | Promise<T>;
}
