import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';

/**
 * Which of the application's global enhancers run for tools. A function is asked once for each, with
 * its instance. (Of a request-scoped one that is an object without state of the same class, so
 * `instanceof` works; of a request-scoped factory it is an empty object.) If it throws, so does the boot,
 * or every call.
 *
 * @publicApi
 */
export type GlobalEnhancersChoice =
  'all' | 'none' | ((enhancer: object, kind: EnhancerKind) => boolean);
