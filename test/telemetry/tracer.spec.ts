/** What is recorded of a run, a turn and a call, whatever the callers and the application do. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  context,
  diag,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  trace,
  type DiagLogger,
} from '@opentelemetry/api';
import { AlwaysOffSampler, SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';
import {
  AgentRunException,
  type AgentRun,
  type ChatResponse,
  type ToolCallResult,
} from 'nestjs-agent-tools';
import { joinTrace, traceIdOf } from '../../libs/agent-tools/src/tools/trace-id.js';
import { OpenTelemetrySource } from '../../libs/agent-tools/src/open-telemetry/open-telemetry.source.js';
import { Telemetry } from '../../libs/agent-tools/src/telemetry/telemetry.js';
import type { TelemetryOptions } from '../../libs/agent-tools/src/telemetry/interfaces/telemetry-options.interface.js';
import { endingOf, exceptionOf, recordSpans, type RecordedSpans } from './support/spans.js';

const RUN: AgentRun = { id: 'run-1', agent: 'clerk', request: undefined, context: {} };
const CALL = { id: 'c1', name: 'find', input: {} };
const RESULT: ToolCallResult = {
  callId: 'c1',
  name: 'find',
  status: 'success',
  content: 'found',
  duration: 1,
};
const ANSWER: ChatResponse = { content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' };
const OUTCOME = {
  status: 'completed',
  text: 'Hi',
  usage: { inputTokens: 0, outputTokens: 0 },
};

function tracerOf(telemetry?: TelemetryOptions) {
  const holder = new OpenTelemetrySource({ telemetry }, new Telemetry());
  holder.onModuleInit();
  const { tracer } = holder;
  if (!tracer) throw new Error('Nothing is recorded.');
  return tracer;
}

/** What OpenTelemetry itself reports. */
function observeDiag() {
  const error = jest.fn<DiagLogger['error']>();
  const silent = () => undefined;
  diag.setLogger({ error, warn: silent, info: silent, debug: silent, verbose: silent });
  error.mockClear();
  return error;
}

afterEach(() => diag.disable());

const newRun = (): AgentRun => ({ ...RUN, id: crypto.randomUUID() });

describe('a recording', () => {
  let spans: RecordedSpans;
  beforeEach(() => {
    spans = recordSpans();
  });

  it('is the parent of what its work records, now and later, and gives its value', async () => {
    const tracer = tracerOf();
    const run = tracer.startRun(RUN, () => 'Hello');
    const value = await run.run(async () => {
      await Promise.resolve();
      const tool = tracer.startTool(CALL, undefined);
      expect(tool.run(() => trace.getTracer('app').startSpan('inner').end())).toBeUndefined();
      tool.end(RESULT);
      return 7;
    });
    run.end(OUTCOME);
    expect(value).toBe(7);
    expect(trace.getActiveSpan()).toBeUndefined();
    expect(spans.tree).toEqual(['invoke_agent clerk', '  execute_tool find', '    inner']);
  });

  it('ends once, without a complaint of the SDK', () => {
    const error = observeDiag();
    const recording = tracerOf().startTool(CALL, undefined);
    recording.end({ ...RESULT, status: 'interrupted' });
    recording.end(RESULT);
    recording.end(undefined, new Error('late'));
    const span = spans.only('execute_tool find');
    expect(endingOf(span)).toBe('interrupted');
    expect(span.events).toEqual([]);
    expect(error).not.toHaveBeenCalled();
  });

  it('that is given up is an error without an exception', () => {
    const tracer = tracerOf();
    tracer.startRun(newRun(), () => '').end(undefined);
    tracer.startChat('model', { messages: [] }).end(undefined);
    tracer.startTool(CALL, undefined).end(undefined);
    expect(spans.all.map(endingOf)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(spans.all.flatMap(({ events }) => events)).toEqual([]);
  });

  it.each([
    ['a text', 'no bearer abcdef123456', '_OTHER', 'no bearer ***'],
    ['an object', { reason: 'why' }, '_OTHER', '{"reason":"why"}'],
    ['an error of a class without a name', new (class extends Error {})('why'), '_OTHER', 'why'],
    [
      'an error that renames itself',
      Object.assign(new Error('why'), { name: 'Odd' }),
      'Odd',
      'why',
    ],
    ['an error of a known class', new RangeError('why'), 'RangeError', 'why'],
  ])('of a turn that threw %s says which', (_case, error, type, message) => {
    const recording = tracerOf().startChat('model', { messages: [] });
    recording.end(undefined, error);
    const span = spans.only('chat model');
    expect(endingOf(span)).toBe(type);
    expect(exceptionOf(span)).toMatchObject({
      'exception.type': type,
      'exception.message': message,
    });
  });

  it('survives an error whose properties throw', () => {
    const error = new Proxy(new Error('why'), {
      get: () => {
        throw new Error('Do not read me.');
      },
    });
    const recording = tracerOf().startTool(CALL, undefined);
    recording.end({ ...RESULT, status: 'error', error });
    expect(endingOf(spans.only('execute_tool find'))).toBe('_OTHER');
  });

  it('cuts the name of a tool that a model made up', () => {
    tracerOf()
      .startTool({ ...CALL, name: 'x'.repeat(5_000) }, undefined)
      .end(RESULT);
    expect(spans.all.map(({ name }) => name)).toEqual([`execute_tool ${'x'.repeat(64)}`]);
  });

  it('of a failed run says how many tokens it used until then', () => {
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
    const partial = { runId: 'run-1', text: '', messages: [], steps: [], usage };
    const failure = new AgentRunException('It failed.', partial, new RangeError('why'));
    tracerOf()
      .startRun(newRun(), () => '')
      .end(undefined, failure);
    const span = spans.only('invoke_agent clerk');
    expect(endingOf(span)).toBe('RangeError');
    expect(exceptionOf(span)).toMatchObject({
      'exception.type': 'AgentRunException',
      'exception.message': 'It failed.',
    });
    expect(span.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 2,
    });
  });
});

describe('the trace of a run', () => {
  it('becomes that of its span', () => {
    const spans = recordSpans();
    const run = newRun();
    tracerOf()
      .startRun(run, () => '')
      .end(OUTCOME);
    expect(traceIdOf(run)).toBe(spans.only('invoke_agent clerk').spanContext().traceId);
  });

  it('becomes that of the call if there is no agent', () => {
    const spans = recordSpans();
    const run = newRun();
    tracerOf().startTool(CALL, undefined, run).end(RESULT);
    expect(traceIdOf(run)).toBe(spans.only('execute_tool find').spanContext().traceId);
  });

  it('stays what it is if the tracer gives none', () => {
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: () => trace.wrapSpanContext(INVALID_SPAN_CONTEXT),
        startActiveSpan: () => {
          throw new Error('Not used.');
        },
      }),
    });
    const run = newRun();
    joinTrace(run, 'a'.repeat(32));
    tracerOf()
      .startRun(run, () => '')
      .end(OUTCOME);
    expect(traceIdOf(run)).toBe('a'.repeat(32));
  });
});

describe('a sampler', () => {
  it('sees the attributes that are known at the start', () => {
    const shouldSample = jest.fn<Sampler['shouldSample']>(() => ({
      decision: SamplingDecision.RECORD_AND_SAMPLED,
    }));
    recordSpans({ shouldSample, toString: () => 'spy' });
    tracerOf().startTool(CALL, undefined).end(RESULT);
    expect(
      shouldSample.mock.calls.map(([, , name, , attributes]) => [name, attributes]),
    ).toStrictEqual([
      [
        'execute_tool find',
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'find',
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': 'c1',
        },
      ],
    ]);
  });

  it('that drops a run drops all below it, and no content is built', () => {
    const spans = recordSpans(new AlwaysOffSampler());
    const input = jest.fn(() => 'Hello');
    const tracer = tracerOf({ content: true });
    const run = newRun();
    const recording = tracer.startRun(run, input);
    const ids = recording.run(() => [
      trace.getActiveSpan()?.spanContext().traceId,
      trace.getTracer('app').startSpan('inner').spanContext().traceId,
    ]);
    recording.end(OUTCOME);
    expect(ids).toEqual([traceIdOf(run), traceIdOf(run)]);
    expect(input).not.toHaveBeenCalled();
    expect(spans.all).toEqual([]);
  });
});

it('no input is asked for without content', () => {
  recordSpans();
  const input = jest.fn(() => 'Hello');
  tracerOf().startRun(newRun(), input).end(OUTCOME);
  expect(input).not.toHaveBeenCalled();
  tracerOf({ content: true }).startRun(newRun(), input).end(OUTCOME);
  expect(input).toHaveBeenCalledTimes(1);
});

it('an input that cannot be read leaves only itself out', () => {
  const spans = recordSpans();
  const tracer = tracerOf({ content: true });
  tracer
    .startRun(newRun(), () => {
      throw new Error('Do not ask me.');
    })
    .end(OUTCOME);
  const { attributes } = spans.only('invoke_agent clerk');
  expect(attributes).not.toHaveProperty(['gen_ai.input.messages']);
  expect(attributes).toHaveProperty(['gen_ai.output.messages']);
});

describe('without a context manager', () => {
  it('work runs, and its spans are beside each other', () => {
    const spans = recordSpans();
    context.disable();
    const tracer = tracerOf();
    const run = tracer.startRun(newRun(), () => '');
    run.run(() => tracer.startChat('model', { messages: [] }).end(ANSWER));
    run.end(OUTCOME);
    expect(context.active()).toBe(ROOT_CONTEXT);
    expect(spans.tree).toEqual(['invoke_agent clerk', 'chat model']);
  });
});

describe('a tracer that fails', () => {
  it('at the start is reported, and the work runs', () => {
    const error = observeDiag();
    recordSpans({
      shouldSample: () => {
        throw new Error('no sampling today');
      },
      toString: () => 'broken',
    });
    const tracer = tracerOf();
    const recording = tracer.startTool(CALL, undefined);
    expect(recording.run(() => 7)).toBe(7);
    recording.end(RESULT);
    expect(error.mock.calls).toEqual([
      ['nestjs-agent-tools could not start a span: no sampling today'],
    ]);
  });

  it('at the end is reported, and throws nothing', () => {
    const error = observeDiag();
    const spans = recordSpans();
    jest.spyOn(spans, 'onEnd').mockImplementation(() => {
      throw new Error('no export today');
    });
    const recording = tracerOf().startTool(CALL, undefined);
    expect(recording.run(() => 7)).toBe(7);
    recording.end(RESULT);
    expect(error.mock.calls).toEqual([
      ['nestjs-agent-tools could not end a span: no export today'],
    ]);
  });
});
