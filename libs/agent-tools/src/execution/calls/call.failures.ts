import { Injectable, Logger } from '@nestjs/common';
import { ToolArgumentsException } from '../../arguments/tool-arguments.exception.js';
import type {
  FailedToolCall,
  ToolErrorHandler,
} from '../../tools/interfaces/tool-policy.interface.js';
import { errorMessage } from '../../utils/error-message.js';
import { isDebugEnabled } from '../../utils/is-debug-enabled.js';
import { redactCredentials } from '../../utils/redact-credentials.js';
import type { BoundTool } from '../bound-tool.js';
import { stopText, type Ending } from './call.endings.js';
import type { ErrorKind } from './error-kind.js';
import { ErrorMapper, type MappedError } from './error.mapper.js';
import type { CallPolicy } from '../interfaces/call-policy.interface.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { CallTrace } from '../interfaces/call-trace.interface.js';
import { convertResult } from '../results/convert-result.js';

const RETRY_HINT = 'Correct the call and try again.';

/** Makes the result of a call of an error: the standard one, or what a handler answers. */
@Injectable()
export class CallFailures {
  private readonly logger = new Logger('AgentTools');

  constructor(private readonly mapper: ErrorMapper) {}

  /** Returns a promise only if a handler is asked. */
  toEnding(
    error: unknown,
    tool: BoundTool,
    policy: CallPolicy,
    trace: CallTrace,
    scope: CallScope,
    call: FailedToolCall,
  ): Ending | Promise<Ending> {
    const { name } = tool.definition;
    const mapped = this.map(error, name, policy, trace);
    const { kind, status } = mapped;
    const isWrong = kind === 'arguments' || kind === 'correctable';
    const isExhausted = isWrong && !countCorrection(tool, policy, scope, call.step);
    const content = isExhausted
      ? `${problemsOf(error) ?? mapped.content}\n${stopText(name, policy.maxCorrections)}`
      : kind === 'correctable'
        ? `${mapped.content}\n${RETRY_HINT}`
        : mapped.content;
    const standard: Ending = { status, content, error };
    const handler = handlerFor(kind, policy);
    return handler ? this.ask(handler, error, standard, call) : standard;
  }

  /** Told of an attempt that is followed by another one. */
  logRetry(error: unknown, name: string, attempt: number, delay: number): void {
    if (!isDebugEnabled()) return;
    const message = redactCredentials(errorMessage(error));
    this.logger.debug(
      `Tool "${name}" failed in attempt ${attempt}, again in ${delay} ms: ${message}`,
    );
  }

  /** Never rejects: what the handler throws ends the run, by the ending. */
  async ask(
    handler: (error: unknown, call: FailedToolCall) => ReturnType<ToolErrorHandler>,
    error: unknown,
    standard: Ending,
    call: FailedToolCall,
  ): Promise<Ending> {
    try {
      const answer = await handler(error, call);
      if (answer === undefined) return standard;
      return { ...standard, content: convertResult(answer, Infinity) };
    } catch (thrown) {
      return {
        status: 'error',
        content: `"${call.name}" failed, and the run ends.`,
        error: thrown,
        fatal: true,
      };
    }
  }

  private map(error: unknown, name: string, policy: CallPolicy, trace: CallTrace): MappedError {
    try {
      return this.mapper.map(error, name, policy.errors, trace);
    } catch {
      // An exception may be of a class of the application whose own methods throw.
      return { kind: 'unexpected', status: 'error', content: `"${name}" failed unexpectedly.` };
    }
  }
}

/** Without the request to correct them. */
function problemsOf(error: unknown): string | undefined {
  return error instanceof ToolArgumentsException ? error.problems.join('\n') : undefined;
}

function handlerFor(kind: ErrorKind, policy: CallPolicy): ToolErrorHandler | undefined {
  if (kind === 'denied') return undefined;
  return kind === 'arguments' ? policy.onArgumentsError : policy.onExecutionError;
}

/** Whether the model may try once more. */
function countCorrection(
  tool: BoundTool,
  { maxCorrections }: CallPolicy,
  scope: CallScope,
  step: number,
): boolean {
  if (step === 0) return true;
  scope.corrections ??= new Map<BoundTool, number>();
  const count = (scope.corrections.get(tool) ?? 0) + 1;
  scope.corrections.set(tool, count);
  return count <= maxCorrections;
}
