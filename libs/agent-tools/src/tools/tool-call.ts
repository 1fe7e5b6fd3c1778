import type { AgentRun } from './interfaces/agent-run.interface.js';

/** What a running call is given from outside: its signal, made on first use, and its listener. */
export interface ToolCallLifetime {
  readonly signal: AbortSignal;
  progress(call: ToolCall, value: unknown): void;
}

/**
 * One call of a tool. `@CurrentToolCall()` gives it to the method, `ToolExecutionContext` to guards
 * and interceptors.
 *
 * @publicApi
 */
export class ToolCall {
  /**
   * The arguments. Guards and interceptors see them as the model sent them, checked for being a
   * JSON object only; pipes and the method see the validated value.
   */
  input: unknown;

  readonly #lifetime: ToolCallLifetime;

  /** @internal */
  constructor(
    /** Unique within the run. */
    readonly id: string,
    /** Name of the tool. */
    readonly name: string,
    input: unknown,
    /** The step of the run, from 1; 0 for a call without an agent. */
    readonly step: number,
    readonly run: AgentRun,
    lifetime: ToolCallLifetime,
    /** From 1. */
    readonly attempt: number = 1,
  ) {
    this.input = input;
    this.#lifetime = lifetime;
  }

  /** Aborts when the call times out or its run ends. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  /** Reports how far the call is. Observers of the run get a `tool-progress` event; the model does not. */
  progress(value: unknown): void {
    this.#lifetime.progress(this, value);
  }
}
