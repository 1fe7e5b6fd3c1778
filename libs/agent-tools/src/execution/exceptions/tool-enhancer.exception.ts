import { IntrinsicException } from '@nestjs/common';
import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';
import { errorMessage } from '../../utils/error-message.js';

/**
 * An exception filter or an interceptor crashed while it handled the error of a tool call, as those
 * written for HTTP do when they reach for the response. The original error is the `cause` and decides
 * the outcome.
 *
 * @publicApi
 */
export class ToolEnhancerException extends IntrinsicException {
  constructor(
    readonly kind: EnhancerKind,
    readonly enhancerName: string,
    /** What the enhancer itself threw. */
    readonly crash: unknown,
    cause: unknown,
  ) {
    const label = kind === 'filter' ? 'Exception filter' : 'Interceptor';
    const pass = kind === 'filter' ? 'throw exception' : 'return next.handle()';
    const context = kind === 'filter' ? 'host' : 'context';
    super(
      `${label} "${enhancerName}" crashed in a tool call (${errorMessage(crash)}). A tool call has no ` +
        `HTTP response: let it return early with \`if (isToolContext(${context})) ${pass};\`, or leave it ` +
        'out with the option `globalEnhancers` of AgentToolsModule.',
    );
    this.name = 'ToolEnhancerException';
    this.cause = cause;
  }
}
