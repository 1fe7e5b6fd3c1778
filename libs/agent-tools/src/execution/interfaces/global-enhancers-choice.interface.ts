import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';

/**
 * Which of the application's global enhancers run for tools. A function is asked once for each, with
 * its instance. (Of a request-scoped one that is an object without state of the same class, so
 * `instanceof` works.)
 *
 * @publicApi
 */
export type GlobalEnhancersChoice =
  'all' | 'none' | ((enhancer: object, kind: EnhancerKind) => boolean);
