/** When something is recorded, and that nothing is made otherwise. */
import { describe, expect, it, jest } from '@jest/globals';
import { ProxyTracerProvider, trace, type TracerProvider } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { scripted } from 'nestjs-agent-tools/testing';
import { OpenTelemetrySource } from '../../libs/agent-tools/src/open-telemetry/open-telemetry.source.js';
import { Telemetry } from '../../libs/agent-tools/src/telemetry/telemetry.js';
import { openShop, QUESTION, WAYS } from './support/shop.js';
import { recordSpans } from './support/spans.js';

const FIND = { tool: 'find', arguments: { orderNo: 'A-1' } };

function started(
  options: ConstructorParameters<typeof OpenTelemetrySource>[0] = {},
): OpenTelemetrySource {
  const telemetry = new OpenTelemetrySource(options, new Telemetry());
  telemetry.onModuleInit();
  return telemetry;
}

describe('a tracer', () => {
  it('is there as soon and as long as the application has a provider', () => {
    const telemetry = started();
    expect(telemetry.tracer).toBeUndefined();
    recordSpans();
    expect(telemetry.tracer).toBeDefined();
    trace.disable();
    expect(telemetry.tracer).toBeUndefined();
    recordSpans();
    expect(telemetry.tracer).toBeDefined();
  });

  it('is not there before the module is initialised', () => {
    recordSpans();
    const telemetry = new OpenTelemetrySource({}, new Telemetry());
    expect(telemetry.tracer).toBeUndefined();
    telemetry.onModuleInit();
    expect(telemetry.tracer).toBeDefined();
  });

  it('is not there for a provider that records nothing', () => {
    const silent = new ProxyTracerProvider().getDelegate();
    trace.setGlobalTracerProvider(silent);
    expect(started().tracer).toBeUndefined();
  });

  it('is not there with `telemetry: false`', () => {
    recordSpans();
    expect(started({ telemetry: false }).tracer).toBeUndefined();
  });

  it('is made once for a provider, and anew for another one', () => {
    const getTracer = jest.fn<TracerProvider['getTracer']>(() =>
      new BasicTracerProvider().getTracer('spy'),
    );
    trace.setGlobalTracerProvider({ getTracer });
    const telemetry = started();
    const { tracer } = telemetry;
    expect(telemetry.tracer).toBe(tracer);
    expect(telemetry.tracer).toBe(tracer);
    expect(getTracer.mock.calls).toEqual([['nestjs-agent-tools']]);
    trace.disable();
    recordSpans();
    expect(telemetry.tracer).not.toBe(tracer);
  });

  it('records for the provider that is registered now', () => {
    const telemetry = started();
    const record = () => {
      telemetry.tracer?.startChat('model', { messages: [] }).end(undefined);
    };
    record();
    const first = recordSpans();
    record();
    trace.disable();
    record();
    const second = recordSpans();
    record();
    record();
    expect(first.all).toHaveLength(1);
    expect(second.all).toHaveLength(2);
  });
});

describe.each(WAYS)('a %s', (_way, run) => {
  it('with `telemetry: false` records nothing, and tools may', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(scripted([FIND, 'Found.']), { telemetry: false });
    expect((await run(agent)).text).toBe('Found.');
    expect(shop.seen.runs).toEqual(['find']);
    expect(spans.tree).toEqual(['load order']);
  });

  it('without a provider works as always', async () => {
    const { agent, shop } = await openShop(scripted([FIND, 'Found.']));
    expect((await run(agent)).text).toBe('Found.');
    expect(shop.seen.traceIds).toEqual([expect.stringMatching(/^[\da-f]{32}$/)]);
  });
});

it('a provider that is registered after the boot is used', async () => {
  const { agent } = await openShop(scripted(['One.', 'Two.']));
  await agent.run(QUESTION);
  const spans = recordSpans();
  await agent.run(QUESTION);
  expect(spans.tree).toEqual(['invoke_agent', '  chat scripted']);
});
