import type { Usage } from '../../models/interfaces/chat-model.interface.js';
import type { Recording } from '../../telemetry/interfaces/runtime-tracer.interface.js';
import type { CallEmitter } from './call.emitter.js';
import { NO_USAGE } from '../../models/answers/usage.js';
import { INTERRUPTED, timedOut, type Ending } from './call.endings.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import { reportEnding } from './report-ending.js';
import { RunningCall, type CallOwner } from './running-call.js';

/** How a call that cannot be run is reported. */
export interface EarlyParts {
  readonly request: ToolCallRequest;
  readonly scope: CallScope;
  /** Milliseconds that a handler of errors may take. */
  readonly timeout: number;
  readonly maxResultLength: number;
  readonly emitter: CallEmitter | undefined;
  readonly recording: Recording<ToolCallResult> | undefined;
}

/** The end of a call that is not run. A handler of errors has as long for it as the tool would have. */
export class EarlyEnding implements CallOwner {
  readonly usage: Usage = NO_USAGE;
  private readonly started = performance.now();
  private running?: RunningCall;
  private resolve?: (result: ToolCallResult) => void;

  constructor(private readonly parts: EarlyParts) {}

  settle(ending: Ending | Promise<Ending>): Promise<ToolCallResult> {
    if (!(ending instanceof Promise)) return Promise.resolve(this.finish(ending));
    const running = new RunningCall(this.started, this.parts.timeout, this);
    this.running = running;
    this.parts.scope.running?.add(running);
    running.start();
    running.endWhenAborted();
    return new Promise((resolve) => {
      this.resolve = resolve;
      // A handler that throws is an answer as well: this never rejects.
      void ending.then((answered) => this.end(answered));
    });
  }

  giveUp(reason: 'timeout' | 'run-aborted'): void {
    const { request, timeout } = this.parts;
    this.end(reason === 'timeout' ? timedOut(request.name, timeout) : INTERRUPTED);
  }

  report(): void {
    // There is no tool that could report anything.
  }

  private end(ending: Ending): void {
    const { resolve, running } = this;
    if (!resolve || !running) return;
    this.resolve = undefined;
    running.end();
    this.parts.scope.running?.delete(running);
    resolve(this.finish(ending));
  }

  private finish(ending: Ending): ToolCallResult {
    const { scope, maxResultLength } = this.parts;
    const result = reportEnding(this.parts, ending, this.started, maxResultLength);
    if (ending.fatal) scope.fail?.(ending.error);
    return result;
  }
}
