import type { AgentEvents } from '../events/agent-events.js';
import type { RuntimeEventBase } from '../events/interfaces/runtime-event.interface.js';
import type { ChatRetry } from '../models/interfaces/chat-model.interface.js';
import { traceIdOf } from '../tools/trace-id.js';
import type { AgentRunState } from './agent-run.state.js';
import type { AgentResult, AgentStep } from './interfaces/agent-result.interface.js';

/** Tells observers of the application what happens to one run. */
export class RunEmitter {
  private readonly started = performance.now();

  constructor(
    private readonly events: AgentEvents,
    private readonly state: AgentRunState,
  ) {}

  onStart(): void {
    this.events.emit({ ...this.base(), type: 'run-started' });
  }

  onStepStart(): void {
    this.events.emit({ ...this.base(), type: 'step-started' });
  }

  onModelRetry(retry: ChatRetry): void {
    this.events.emit({ ...this.base(), ...retry, type: 'model-retried' });
  }

  onStepEnd({ finishReason, usage, duration }: AgentStep): void {
    this.events.emit({ ...this.base(), type: 'step-finished', finishReason, usage, duration });
  }

  onEnd({ status, finishReason, usage }: AgentResult): void {
    const duration = this.duration();
    const ending = { status, finishReason, usage, duration };
    this.events.emit({ ...this.base(), type: 'run-finished', ...ending });
  }

  onFailure(error: unknown): void {
    const { usage } = this.state;
    const duration = this.duration();
    this.events.emit({ ...this.base(), type: 'run-failed', error, usage, duration });
  }

  private base(): RuntimeEventBase {
    const { run, step } = this.state;
    return { runId: run.id, traceId: traceIdOf(run), agent: run.agent, step };
  }

  private duration(): number {
    return performance.now() - this.started;
  }
}
