import { afterEach, expect } from '@jest/globals';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** What an application's tracer provider was told. */
export class RecordedSpans implements SpanProcessor {
  /** In the order in which they began. */
  private readonly started: Span[] = [];
  private readonly exporter = new InMemorySpanExporter();
  private readonly exporting = new SimpleSpanProcessor(this.exporter);

  onStart(span: Span): void {
    this.started.push(span);
  }

  onEnd(span: ReadableSpan): void {
    this.exporting.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.exporting.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.exporting.shutdown();
  }

  /** All spans, of which none is left open and none has ended twice. */
  get all(): readonly ReadableSpan[] {
    expectSame(this.exporter.getFinishedSpans(), this.started);
    return this.started;
  }

  /** A line for each span, indented below its parent. */
  get tree(): string[] {
    const { all } = this;
    const linesBelow = (parent: string | undefined, indent: string): string[] =>
      all
        .filter((span) => span.parentSpanContext?.spanId === parent)
        .flatMap((span) => [
          `${indent}${span.name}`,
          ...linesBelow(span.spanContext().spanId, `${indent}  `),
        ]);
    return linesBelow(undefined, '');
  }

  named(name: string): ReadableSpan[] {
    return this.all.filter((span) => span.name === name);
  }

  only(name: string): ReadableSpan {
    return theOnly(this.named(name));
  }

  /** Everything that leaves the process, as one text. */
  get text(): string {
    return JSON.stringify(
      this.all.map(({ name, attributes, events, status, links }) => ({
        name,
        attributes,
        events,
        status,
        links,
      })),
    );
  }
}

function expectSame(ended: readonly ReadableSpan[], begun: readonly ReadableSpan[]): void {
  const ids = (spans: readonly ReadableSpan[]) =>
    spans.map((span) => span.spanContext().spanId).toSorted();
  expect(ids(ended)).toEqual(ids(begun));
}

function theOnly(spans: readonly ReadableSpan[]): ReadableSpan {
  expect(spans).toHaveLength(1);
  return spans[0];
}

/** Registers a tracer provider until the end of the test. */
export function recordSpans(sampler?: Sampler): RecordedSpans {
  const spans = new RecordedSpans();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [spans], sampler }));
  return spans;
}

afterEach(() => {
  trace.disable();
  context.disable();
});

export function exceptionOf({ events }: ReadableSpan): Readonly<Record<string, unknown>> {
  expect(events.map(({ name }) => name)).toEqual(['exception']);
  return events[0].attributes ?? {};
}

/** What the span says of how it ended. */
export function endingOf({ status, attributes }: ReadableSpan): string {
  const type = attributes['error.type'];
  if (status.code !== SpanStatusCode.ERROR) {
    expect(type).toBeUndefined();
    expect(status.code).toBe(SpanStatusCode.UNSET);
    return 'fine';
  }
  return String(type);
}

export function jsonOf({ attributes }: ReadableSpan, name: string): unknown {
  return JSON.parse(attributes[name] as string);
}
