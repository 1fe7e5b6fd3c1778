import type { CanActivate } from '@nestjs/common';
import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';

/** What a pipeline leaves behind beside its result: how the call came to it. */
export interface CallTrace {
  /** The guard that is asked, said no or threw. */
  guard?: CanActivate | undefined;
  /** Whether an exception filter answered in place of the tool. */
  isFiltered?: boolean;
  /** The enhancer whose own code threw what the call ended with, if it was one. */
  culprit?: { readonly kind: EnhancerKind; readonly name: string };
  /** Whether the context was asked for a request and has none. */
  lacksRequest?: boolean;
  /** Whether the context was asked for the response, which it never has. */
  lacksResponse?: boolean;
}
