import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { errorMessage } from '../../utils/error-message.js';
import { ABORT_GRACE } from '../../agent-tools.constants.js';
import type { Usage } from '../../models/interfaces/chat-model.interface.js';
import type { ToolCall, ToolCallLifetime } from '../../tools/tool-call.js';
import { DeferredTimers, type Timed } from './deferred-timers.js';
import type { CallLifetime } from '../interfaces/call-lifetime.interface.js';

/** Whose call it is: told that it is given up, and what it reports. */
export interface CallOwner {
  readonly usage: Usage;
  giveUp(reason: 'timeout' | 'run-aborted'): void;
  report(call: ToolCall, value: unknown): void;
}

const logger = new Logger('AgentTools');
const deferredTimers = new DeferredTimers();

/**
 * The lifetime of one call: its timeout, its signal, what its run tells it. Most tools never ask for
 * the signal, so it is made on first use.
 *
 * It is an async context of its own, so that a store which a guard enters is not seen by the calls
 * beside it, and a listener of the signal finds that store again.
 */
export class RunningCall extends AsyncResource implements ToolCallLifetime, CallLifetime, Timed {
  private timer?: NodeJS.Timeout;
  private teardown?: Teardown | undefined;
  private controller?: AbortController;
  private abortReason: unknown;
  private isAborted = false;
  private isTimedOut = false;
  private hasEnded = false;

  constructor(
    /** By `performance.now()`. */
    private readonly started: number,
    /** Milliseconds. */
    private readonly timeout: number,
    private readonly owner: CallOwner,
  ) {
    super('ToolCall');
  }

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

  get usage(): Usage {
    return this.owner.usage;
  }

  /** Something of the call is running. */
  goOn(): void {
    this.teardown = undefined;
  }

  /** Ends the call at once when it is aborted: nothing of it is running, so there is nothing to wait for. */
  endWhenAborted(): void {
    this.whenAborted((isTimedOut) => this.owner.giveUp(isTimedOut ? 'timeout' : 'run-aborted'));
  }

  whenAborted(teardown: Teardown | undefined): void {
    this.teardown = teardown;
    if (this.isAborted) this.tearDown();
  }

  /** Only if the call is not given up already: then another timer runs. */
  start(): void {
    if (!this.isAborted) deferredTimers.add(this);
  }

  startTimer(): void {
    const left = Math.max(0, this.started + this.timeout - performance.now());
    this.timer = this.runInAsyncScope(setTimeout, undefined, timeOut, left, this);
  }

  end(): void {
    deferredTimers.remove(this);
    clearTimeout(this.timer);
    this.hasEnded = true;
  }

  timeOut(): void {
    this.isTimedOut = true;
    this.abort(new DOMException(`Timed out after ${this.timeout} ms.`, 'TimeoutError'));
    this.owner.giveUp('timeout');
  }

  /** The call gets some time to end by itself, so that its run can say what it did. */
  abortByRun(reason: unknown): void {
    this.abort(reason);
    if (this.hasEnded) return;
    deferredTimers.remove(this);
    clearTimeout(this.timer);
    this.timer = setTimeout(giveUp, ABORT_GRACE, this.owner);
  }

  /** A method may go on after its call was given up; nobody listens then. */
  progress(call: ToolCall, value: unknown): void {
    if (!this.hasEnded && !this.isAborted) this.owner.report(call, value);
  }

  /** It may be code of the application, and what it throws must not keep the call from its end. */
  private tearDown(): void {
    try {
      this.teardown?.(this.isTimedOut);
    } catch (error) {
      logger.error(`The teardown of a tool call failed: ${errorMessage(error)}`);
    }
  }

  private abort(reason: unknown): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.abortReason = reason;
    this.controller?.abort(reason);
    this.tearDown();
  }
}

/** Told whether the time is over; else the run is. */
type Teardown = (isTimedOut: boolean) => void;

function timeOut(call: RunningCall): void {
  call.timeOut();
}

function giveUp(owner: CallOwner): void {
  owner.giveUp('run-aborted');
}
