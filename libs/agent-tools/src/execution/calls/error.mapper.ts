import { randomUUID } from 'node:crypto';
import { HttpException, Injectable, Logger } from '@nestjs/common';
import type { ToolResultStatus } from '../../models/interfaces/chat-message.interface.js';
import type { ToolErrorDisclosure } from '../../tools/interfaces/tool-policy.interface.js';
import { errorMessage, errorStack } from '../../utils/error-message.js';
import { redactCredentials } from '../../utils/redact-credentials.js';
import { enhancerName } from '../enhancers/enhancer-kind.js';
import type { CallTrace } from '../interfaces/call-trace.interface.js';
import { ToolNotApprovedException } from '../exceptions/tool-not-approved.exception.js';
import { kindOfError, type ErrorKind } from './error-kind.js';
import { ToolEnhancerException } from '../exceptions/tool-enhancer.exception.js';

export interface MappedError {
  readonly kind: ErrorKind;
  readonly status: ToolResultStatus;
  readonly content: string;
}

/** Decides what the model is told about an error, and what the log is. */
@Injectable()
export class ErrorMapper {
  private readonly logger = new Logger('AgentTools');
  private readonly explained = new Set<string>();

  map(
    error: unknown,
    toolName: string,
    disclosure: ToolErrorDisclosure,
    trace: CallTrace,
  ): MappedError {
    if (error instanceof ToolEnhancerException) {
      this.logger.error(`Tool "${toolName}": ${redactCredentials(error.message)}`);
      return this.map(error.cause, toolName, disclosure, trace);
    }
    const kind = kindOfError(error);
    switch (kind) {
      case 'denied':
        return this.deny(error as HttpException, toolName, trace);
      case 'arguments':
      case 'output':
        return failure(kind, (error as Error).message);
      case 'correctable':
      case 'failed':
        return failure(kind, messageOf(error));
      case 'unexpected':
        return this.hide(error, toolName, disclosure, trace);
    }
  }

  private deny(error: HttpException, toolName: string, trace: CallTrace): MappedError {
    const by = trace.guard
      ? `was denied by ${enhancerName(trace.guard)}`
      : error instanceof ToolNotApprovedException
        ? 'was not approved'
        : `was denied by the tool itself (${error.constructor.name})`;
    const hint = trace.guard && trace.lacksRequest ? `. ${NO_REQUEST}.` : '';
    this.logger.warn(`Tool "${toolName}" ${by}${hint}`);
    return {
      kind: 'denied',
      status: 'denied',
      content:
        error instanceof ToolNotApprovedException
          ? `Denied: this call of "${toolName}" was not approved. Do not repeat it.`
          : `Denied: "${toolName}" may not be called here. Do not call it again.`,
    };
  }

  private hide(
    error: unknown,
    toolName: string,
    disclosure: ToolErrorDisclosure,
    trace: CallTrace,
  ): MappedError {
    const id = randomUUID().slice(0, 8);
    const { culprit } = trace;
    const place = culprit ? ` in ${culprit.kind} ${culprit.name}` : '';
    // A guard may have looked for a request that it can do without.
    const isRelated = culprit !== undefined || error instanceof TypeError;
    const remedy = isRelated ? remedyFor(trace) : undefined;
    const hint = remedy ? `\n${remedy}` : '';
    const stack = errorStack(error);
    this.logger.error(
      `Tool "${toolName}" failed${place} [${id}]: ${redactCredentials(errorMessage(error))}${hint}`,
      stack && redactCredentials(stack),
    );
    if (disclosure === 'message') {
      return failure('unexpected', redactCredentials(errorMessage(error)));
    }
    this.explainOnce(toolName);
    return failure('unexpected', `"${toolName}" failed unexpectedly (error id ${id}).`);
  }

  private explainOnce(toolName: string): void {
    if (this.explained.has(toolName)) return;
    this.explained.add(toolName);
    this.logger.log(
      `The model was not told why "${toolName}" failed. To tell it on purpose, throw ` +
        `ToolFailedException or ToolRetryException, or set \`errors: 'message'\` on the tool.`,
    );
  }
}

const NO_REQUEST =
  'This call has no request: start the run with `run(input, { request })` if a guard needs one';

/** What is written for HTTP only crashes on what a tool call does not have. */
function remedyFor({ culprit, lacksRequest, lacksResponse }: CallTrace): string | undefined {
  // A guard that lets tools pass where there is no request would let everybody pass.
  if (lacksRequest) return `${NO_REQUEST}, and let what reads it do without (\`request?.\`).`;
  if (!culprit || !lacksResponse) return undefined;
  const { kind } = culprit;
  const pass = kind === 'guard' ? 'return true' : 'return next.handle()';
  return (
    `A tool call has no HTTP response. To let the ${kind} pass tools, write ` +
    `\`if (isToolContext(context)) ${pass};\` in it, or leave it out with the option \`globalEnhancers\` of ` +
    'AgentToolsModule.'
  );
}

function failure(kind: ErrorKind, content: string): MappedError {
  return { kind, status: 'error', content };
}

/** What the tool says on purpose is for the model; what HTTP exceptions say may come from elsewhere. */
function messageOf(error: unknown): string {
  return error instanceof HttpException
    ? redactCredentials(httpMessage(error))
    : errorMessage(error);
}

/** `message` of `BadRequestException([...])` is a fixed text; the real ones are in the response. */
function httpMessage(error: HttpException): string {
  const response = error.getResponse();
  const messages =
    typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (Array.isArray(messages)) return messages.map(String).join('\n');
  return typeof messages === 'string' && messages !== '' ? messages : errorMessage(error);
}
