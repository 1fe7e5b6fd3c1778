import type { Attributes } from '@opentelemetry/api';
import { AgentRunException } from '../agent/agent-run.exception.js';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import { kindOfError } from '../execution/calls/error-kind.js';
import type { ChatResponse, Usage } from '../models/interfaces/chat-model.interface.js';
import { errorMessage } from '../utils/error-message.js';
import { redactCredentials } from '../utils/redact-credentials.js';
import type { RunOutcome } from '../telemetry/interfaces/runtime-tracer.interface.js';
import { outputContent, resultContent, toFinishReason } from './span-content.js';
import { errorType, type SpanFailure } from './span-failure.js';

/** What a span is told when it ends. */
export interface SpanEnd {
  readonly attributes: Attributes;
  readonly failure?: SpanFailure | undefined;
}

const ABORTED = 'aborted';

export function endOfRun(
  outcome: RunOutcome | undefined,
  error: unknown,
  hasContent: boolean,
): SpanEnd {
  if (!outcome) return endOfFailedRun(error, hasContent);
  const { status, text, usage, finishReason = 'stop' } = outcome;
  const said = hasContent && text ? outputContent([{ type: 'text', text }], finishReason) : {};
  const reason = finishReason === 'timeout' ? finishReason : ABORTED;
  return {
    attributes: { ...usageAttributes(usage), ...said },
    failure: status === ABORTED ? { type: reason } : undefined,
  };
}

export function endOfChat(
  outcome: ChatResponse | undefined,
  error: unknown,
  hasContent: boolean,
): SpanEnd {
  if (!outcome) return endOfFailure(error);
  const { content, finishReason, usage } = outcome;
  return {
    attributes: {
      'gen_ai.response.finish_reasons': [toFinishReason(finishReason)],
      ...usageAttributes(usage),
      ...(hasContent && outputContent(content, finishReason)),
    },
    failure: finishReason === 'error' ? { type: finishReason } : undefined,
  };
}

export function endOfTool(
  outcome: ToolCallResult | undefined,
  error: unknown,
  hasContent: boolean,
): SpanEnd {
  if (!outcome) return endOfFailure(error);
  const attributes = hasContent ? resultContent(outcome.content) : {};
  if (outcome.status === 'success') return { attributes };
  const thrown = outcome.error === undefined ? undefined : thrownBy(outcome, hasContent);
  const type = outcome.status === 'error' && thrown ? thrown.type : outcome.status;
  return { attributes, failure: { type, thrown } };
}

/** Nothing thrown: it was given up, because the run is over. */
function endOfFailure(error: unknown, isContent = false): SpanEnd {
  if (error === undefined) return { attributes: {}, failure: { type: ABORTED } };
  const type = errorType(error);
  return { attributes: {}, failure: { type, thrown: { error, type, isContent } } };
}

/** All failed runs have the same exception; what made them fail is its cause. */
function endOfFailedRun(error: unknown, hasContent: boolean): SpanEnd {
  if (!(error instanceof AgentRunException)) return endOfFailure(error);
  const { attributes, failure } = endOfFailure(error, !hasContent && isQuotingResults(error));
  const type = errorType(error.cause ?? error);
  return {
    attributes: { ...attributes, ...usageAttributes(error.partial.usage) },
    failure: { ...failure, type },
  };
}

/** After rounds of failures, the message has the last result. */
function isQuotingResults({ message, partial }: AgentRunException): boolean {
  return partial.messages
    .flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .some(({ content }) => message.includes(redactCredentials(toText(content))));
}

function thrownBy(result: ToolCallResult, hasContent: boolean): SpanFailure['thrown'] {
  const { error } = result;
  return { error, type: errorType(error), isContent: !hasContent && isToldToModel(result) };
}

/** Such a message is the result of the call, and often quotes the arguments. */
function isToldToModel({ error, content }: ToolCallResult): boolean {
  const kind = kindOfError(error);
  if (kind !== 'unexpected' && kind !== 'denied') return true;
  return toText(content).includes(redactCredentials(errorMessage(error)));
}

function toText(content: ToolCallResult['content']): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** Models that do not say what they use sum up to nothing. */
function usageAttributes(usage: Omit<Usage, 'totalTokens'> | undefined): Attributes {
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cacheReadTokens !== undefined && {
      'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    }),
    ...(cacheWriteTokens !== undefined && {
      'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    }),
    ...(reasoningTokens !== undefined && {
      'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
    }),
  };
}
