import { convertResult } from '../execution/results/convert-result.js';
import { Logger, type MessageEvent } from '@nestjs/common';
import { catchError, concatMap, EMPTY, of, type Observable } from 'rxjs';
import { AgentRunException } from './agent-run.exception.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';

/**
 * What a browser may see beside text, tool names and states: the arguments of calls, the content of
 * results, progress values, reasoning, token usage.
 *
 * @publicApi
 */
export type SseDetail = 'arguments' | 'results' | 'progress' | 'reasoning' | 'usage';

/**
 * What `toSse()` shows to browsers.
 *
 * @publicApi
 */
export interface SseOptions {
  /** @default [] */
  readonly include?: readonly SseDetail[];
}

const logger = new Logger('AgentTools');

const FAILURE_TEXT = 'The answer could not be completed.';

/** Maps events to server-sent events; what is not listed here never reaches a browser. */
export function toMessageEvents(
  events: Observable<AgentEvent>,
  { include = [] }: SseOptions,
): Observable<MessageEvent> {
  const shown = new Set(include);
  return events.pipe(
    concatMap((event) => {
      const data = toData(event, shown);
      return data ? of<MessageEvent>({ type: event.type, data }) : EMPTY;
    }),
    // The failure was sent as an event; Nest would write the message of an error to the client.
    catchError((error: unknown) => {
      if (!(error instanceof AgentRunException)) logger.error(error);
      return EMPTY;
    }),
  );
}

function toData(event: AgentEvent, shown: ReadonlySet<SseDetail>): object | undefined {
  const { runId, step } = event;
  switch (event.type) {
    case 'run-started':
    case 'step-started':
      return { runId, step };
    case 'model-retried':
      return { runId, step, restarted: event.restarted };
    case 'text-delta':
      return { runId, step, text: event.text };
    case 'reasoning-delta':
      return shown.has('reasoning') ? { runId, step, text: event.text } : undefined;
    case 'tool-call':
      return {
        runId,
        step,
        callId: event.callId,
        name: event.name,
        ...(shown.has('arguments') ? { arguments: event.arguments } : {}),
      };
    case 'tool-progress':
      return {
        runId,
        step,
        callId: event.callId,
        name: event.name,
        ...(shown.has('progress') ? { value: toJsonValue(event.value) } : {}),
      };
    case 'tool-result':
      return {
        runId,
        step,
        callId: event.callId,
        name: event.name,
        status: event.status,
        ...(shown.has('results') ? { content: event.content } : {}),
      };
    case 'step-finished':
      return { runId, step, ...(shown.has('usage') ? { usage: event.usage } : {}) };
    case 'run-finished': {
      const { status, text, usage } = event.result;
      return { runId, step, status, text, ...(shown.has('usage') ? { usage } : {}) };
    }
    case 'run-failed':
      return { runId, step, message: FAILURE_TEXT };
  }
}

/** Nest writes the data as JSON, and a value that JSON cannot hold would end the process there. */
function toJsonValue(value: unknown): unknown {
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return withoutJson(value);
  }
}

/** A value whose own `toJSON` throws has no form at all. */
function withoutJson(value: unknown): unknown {
  try {
    return convertResult(value);
  } catch {
    return '(a value without a JSON form)';
  }
}
