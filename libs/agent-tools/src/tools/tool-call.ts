import { Logger } from '@nestjs/common';
import type { Usage } from '../models/interfaces/chat-model.interface.js';
import type { AgentRun } from './interfaces/agent-run.interface.js';
import { traceIdOf } from './trace-id.js';

/** What a running call is given from outside: its signal, made on first use, and its listener. */
export interface ToolCallLifetime {
  readonly signal: AbortSignal;
  readonly usage: Usage;
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
    /** From 1; more if the call is repeated by its `retry` policy. */
    readonly attempt: number = 1,
  ) {
    this.input = input;
    this.#lifetime = lifetime;
  }

  /** Aborts when the call times out or its run ends. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  /** 32 hexadecimal digits that all calls of a run share: of its OpenTelemetry trace, if there is one. */
  get traceId(): string {
    return traceIdOf(this.run);
  }

  /** The tokens that the run has used so far; zeros for a call without an agent. */
  get usage(): Usage {
    return this.#lifetime.usage;
  }

  /** Writes to the application's log, with the tool, the run and the call as its context. */
  get logger(): Logger {
    return new Logger(`${this.name} run=${this.run.id} call=${this.id}`);
  }

  /** Reports how far the call is. Observers of the run get a `tool-progress` event; the model does not. */
  progress(value: unknown): void {
    this.#lifetime.progress(this, value);
  }
}
