import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';

/** What a pipeline leaves behind beside its result: how the call came to it. */
export interface CallTrace {
  /** Name of the guard that said no or threw. */
  guard?: string;
  /** Whether an exception filter answered in place of the tool. */
  isFiltered?: boolean;
  /** The enhancer whose own code threw what the call ended with, if it was one. */
  culprit?: { readonly kind: EnhancerKind; readonly name: string };
  /** What an enhancer asked the context for and did not get. */
  missing?: 'request' | 'response';
}
