import type { ToolCall, ToolCallLifetime } from '../tools/tool-call.js';

/** The lifetime of one call. Most tools never ask for the signal, so it is made on first use. */
export class RunningCall implements ToolCallLifetime {
  /** Set by the executor: gives up the call. */
  timer?: NodeJS.Timeout;
  /** Set by the executor: told when the run ends before the call. */
  onRunAborted?: () => void;

  private controller?: AbortController;
  private abortReason: unknown;
  private isAborted = false;
  private hasEnded = false;

  constructor(private readonly onProgress?: (call: ToolCall, value: unknown) => void) {}

  get aborted(): boolean {
    return this.isAborted;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isAborted) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.abortReason = reason;
    this.controller?.abort(reason);
  }

  abortByRun(reason: unknown): void {
    this.abort(reason);
    if (!this.hasEnded) this.onRunAborted?.();
  }

  end(): void {
    clearTimeout(this.timer);
    this.hasEnded = true;
  }

  /** A method may go on after its call was given up; nobody listens then. */
  progress(call: ToolCall, value: unknown): void {
    if (!this.hasEnded && !this.isAborted) this.onProgress?.(call, value);
  }
}
