import type { Type } from '@nestjs/common';
import type {
  ToolApproval,
  ToolErrorDisclosure,
  ToolErrorHandler,
  ToolReturnDirect,
} from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolResultConverter } from '../../tools/interfaces/tool-result-converter.interface.js';

/** How the calls of one tool are treated in one run, everything decided. */
export interface CallPolicy {
  readonly timeout: number;
  readonly parallel: boolean;
  readonly returnDirect: ToolReturnDirect;
  readonly maxResultLength: number;
  readonly maxCorrections: number;
  readonly errors: ToolErrorDisclosure;
  /** Undefined if a call is not repeated. */
  readonly retry: RetryPlan | undefined;
  readonly approve: ToolApproval | undefined;
  readonly resultConverter: Type<ToolResultConverter> | undefined;
  readonly onArgumentsError: ToolErrorHandler | undefined;
  readonly onExecutionError: ToolErrorHandler | undefined;
}

export interface RetryPlan {
  readonly times: number;
  readonly delay: number;
  readonly maxDelay: number;
  readonly when?: ((error: unknown) => boolean) | undefined;
}
