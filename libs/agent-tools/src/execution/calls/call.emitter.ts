import type { AgentEvents } from '../../events/agent-events.js';
import type {
  ToolEventBase,
  ToolRuntimeEvent,
} from '../../events/interfaces/runtime-event.interface.js';
import { traceIdOf } from '../../tools/trace-id.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import type { AttemptObserver } from '../pipeline/pipeline.attempt.js';

/** The part of each event that is its own. */
type Detail = ToolRuntimeEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, keyof ToolEventBase>
    : never
  : never;

/** Tells observers of the application what happens to one call. */
export class CallEmitter implements AttemptObserver {
  private readonly base: ToolEventBase;

  constructor(
    private readonly events: AgentEvents,
    private readonly request: ToolCallRequest,
    step: number,
    { run }: CallScope,
  ) {
    this.base = {
      runId: run.id,
      traceId: traceIdOf(run),
      agent: run.agent,
      step,
      callId: request.id,
      name: request.name,
    };
  }

  onReceived(isKnown: boolean): void {
    const { raw, arguments: parsed } = this.request;
    this.emit({ type: 'tool-arguments-received', arguments: raw });
    if (!isKnown || 'problem' in parsed) return;
    this.emit({ type: 'tool-arguments-read', input: parsed.input, repairs: parsed.repairs });
  }

  onStart(attempt: number): void {
    this.emit({ type: 'tool-started', attempt });
  }

  onAuthorized(): void {
    this.emit({ type: 'tool-authorized' });
  }

  onInput(input: unknown): void {
    this.emit({ type: 'tool-input', input });
  }

  onStreamStart(): void {
    this.emit({ type: 'tool-stream-started' });
  }

  onProgress(value: unknown): void {
    this.emit({ type: 'tool-progress', value });
  }

  onStreamEnd(): void {
    this.emit({ type: 'tool-stream-ended' });
  }

  onOutput(value: unknown): void {
    this.emit({ type: 'tool-output', value });
  }

  onRetry(attempt: number, error: unknown, delay: number): void {
    this.emit({ type: 'tool-retried', attempt, error, delay });
  }

  onEnd(result: ToolCallResult): void {
    this.emit({ type: result.status === 'success' ? 'tool-finished' : 'tool-failed', result });
  }

  private emit(detail: Detail): void {
    this.events.emit({ ...this.base, ...detail });
  }
}
