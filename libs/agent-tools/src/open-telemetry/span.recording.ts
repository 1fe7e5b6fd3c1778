import type * as OpenTelemetry from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { errorMessage } from '../utils/error-message.js';
import type { Recording } from '../telemetry/interfaces/runtime-tracer.interface.js';
import type { SpanEnd } from './span-ends.js';
import { messageOf, stackOf } from './span-failure.js';

/** A span that is open. */
export class SpanRecording<Outcome> implements Recording<Outcome> {
  private hasEnded = false;

  constructor(
    private readonly api: typeof OpenTelemetry,
    private readonly span: Span,
    private readonly context: Context,
    private readonly describe: (outcome: Outcome | undefined, error: unknown) => SpanEnd,
  ) {}

  run<T>(work: () => T): T {
    return this.api.context.with(this.context, work);
  }

  end(outcome: Outcome | undefined, error?: unknown): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.attempt(() => {
      if (this.span.isRecording()) this.conclude(this.describe(outcome, error));
    });
    this.attempt(() => this.span.end());
  }

  private conclude({ attributes, failure }: SpanEnd): void {
    const { span, api } = this;
    span.setAttributes(attributes);
    if (!failure) return;
    const { type, thrown } = failure;
    span.setAttribute('error.type', type);
    if (thrown) {
      span.recordException({
        name: thrown.type,
        message: messageOf(thrown),
        stack: stackOf(thrown),
      });
    }
    const message = thrown && messageOf(thrown);
    span.setStatus({ code: api.SpanStatusCode.ERROR, ...(message && { message }) });
  }

  /** A span processor that fails must not fail what is recorded. */
  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.api.diag.error(`nestjs-agent-tools could not end a span: ${errorMessage(error)}`);
    }
  }
}
