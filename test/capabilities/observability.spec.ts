/** What the runtime of tools does, each thing once, as an application uses it: what can be seen of it. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import {
  CurrentToolCall,
  Tool,
  ToolCallLogger,
  ToolParam,
  type RuntimeEvent,
  type ToolCall,
  type ToolMiddleware,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { only, readAll } from '../loop/support/events.js';
import { recordSpans } from '../telemetry/support/spans.js';
import { readings, recorded, start } from './support/start.js';

@Injectable()
class CardTools {
  readonly traceIds: string[] = [];
  readonly numbers: string[] = [];

  @Tool('Charge a card.')
  charge(
    @ToolParam('number') number: string,
    @ToolParam('pin') _pin: string,
    @CurrentToolCall() call: ToolCall,
  ) {
    this.numbers.push(number);
    this.traceIds.push(call.traceId);
    call.logger.log('charging');
    call.progress(`charging ${number}`);
    return `4242424242424242 was charged for ${number}.`;
  }

  @Tool('Breaks.')
  crash(@CurrentToolCall() call: ToolCall) {
    this.traceIds.push(call.traceId);
    throw new Error('The bank does not answer.');
  }
}

const CHARGE = { id: 'call_a', tool: 'charge', arguments: { number: '7', pin: 'open sesame' } };
const CRASH = { id: 'call_b', tool: 'crash' };
const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the events of the application', () => {
  it('tell a run and its calls in their order, each with whom it belongs to', async () => {
    const started = await start({ providers: [CardTools] });
    const events = recorded(started);
    const { result } = await started.step([CHARGE]);
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'step-started',
      'tool-arguments-received',
      'tool-arguments-read',
      'tool-started',
      'tool-authorized',
      'tool-input',
      'tool-progress',
      'tool-output',
      'tool-finished',
      'step-finished',
      'step-started',
      'step-finished',
      'run-finished',
    ]);
    const ofCall = events.filter((event) => 'callId' in event);
    expect(ofCall).toHaveLength(8);
    for (const event of ofCall) {
      expect(event).toMatchObject({ callId: 'call_a', name: 'charge', step: 1 });
    }
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set([result.runId]));
    expect(ofCall.at(-1)).toMatchObject({
      result: { status: 'success', duration: expect.any(Number) },
    });
  });

  it('reach listeners of the event emitter that the application has', async () => {
    const heard: string[] = [];
    @Injectable()
    class Listener {
      @OnEvent('agent.tool-failed')
      onToolFailed({ name, result }: Extract<RuntimeEvent, { type: 'tool-failed' }>) {
        heard.push(`${name} ${result.status}`);
      }
    }
    const { step } = await start({
      imports: [EventEmitterModule.forRoot()],
      providers: [CardTools, Listener],
    });
    await step([CHARGE, CRASH]);
    expect(heard).toEqual(['crash error']);
  });
});

@Injectable()
class CardMiddleware implements ToolMiddleware {
  input(input: unknown) {
    const { number } = input as { number: string };
    return { ...(input as object), number: `N-${number}` };
  }

  progress(value: unknown) {
    return (value as string).toUpperCase();
  }

  output(value: unknown) {
    return (value as string).replaceAll(/\d{16}/g, '****');
  }
}

describe('a middleware', () => {
  it('changes what goes in, what is reported and what comes out', async () => {
    const { app, agent } = await start({
      module: { toolMiddleware: [CardMiddleware] },
      providers: [CardTools],
    });
    const model = scripted([CHARGE, 'Done.']);
    const { events } = await readAll(agent.stream('Go.', { model }));
    expect(app.get(CardTools).numbers).toEqual(['N-7']);
    expect(only(events, 'tool-progress')).toMatchObject([{ value: 'CHARGING N-7' }]);
    expect(only(events, 'tool-result')).toMatchObject([{ value: '**** was charged for N-7.' }]);
    expect(readings(model)).toEqual(['**** was charged for N-7.']);
  });
});

describe('a log of all calls', () => {
  function watchLog() {
    const lines: string[] = [];
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => {
        if (String(line).includes(' arguments=')) lines.push(`${level}: ${String(line)}`);
      });
    }
    return lines;
  }

  it('is written if the application wants it, a line each, without secrets', async () => {
    const lines = watchLog();
    const { step } = await start({
      module: { toolMiddleware: [ToolCallLogger] },
      providers: [CardTools],
    });
    const { result } = await step([CHARGE, CRASH]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^log: charge success in \d+ ms run=\S+ call=call_a arguments=.*"pin":"\*\*\*".* result=/,
      ),
      expect.stringMatching(
        /^warn: crash error in \d+ ms run=\S+ call=call_b arguments={} result=/,
      ),
    ]);
    expect(lines[0]).toContain(result.runId);
    expect(lines.join()).not.toContain('sesame');
  });

  it('is not written otherwise', async () => {
    const lines = watchLog();
    const { step } = await start({ providers: [CardTools] });
    await step([CHARGE, CRASH]);
    expect(lines).toEqual([]);
  });
});

describe('a trace', () => {
  it('has one id for all calls of a run, and another one for the next run', async () => {
    const started = await start({ providers: [CardTools] });
    const events = recorded(started);
    await started.run([[CHARGE, CRASH], CRASH, 'Done.']);
    const { traceIds } = started.app.get(CardTools);
    expect(traceIds).toHaveLength(3);
    expect(new Set([...traceIds, ...events.map(({ traceId }) => traceId)]).size).toBe(1);
    await started.step([CHARGE]);
    expect(traceIds[3]).not.toBe(traceIds[0]);
  });

  it('has a span for the run, each turn of the model and each call', async () => {
    const spans = recordSpans();
    const { app, step } = await start({ providers: [CardTools] });
    await step([CHARGE, CRASH]);
    expect(spans.tree).toEqual([
      'invoke_agent',
      '  chat scripted',
      '  execute_tool charge',
      '  execute_tool crash',
      '  chat scripted',
    ]);
    const [{ traceId }] = spans.all.map((span) => span.spanContext());
    expect(app.get(CardTools).traceIds).toEqual([traceId, traceId]);
    expect(spans.text).not.toContain('sesame');
  });
});

/** As an application may write its audit: what JSON does not know by itself is an error or a bigint. */
function toLine(event: RuntimeEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => {
    if (value instanceof Error) return { name: value.name, message: value.message };
    return typeof value === 'bigint' ? String(value) : value;
  });
}

describe('an application that keeps books', () => {
  it('sums the tokens of all its runs, those that failed included', async () => {
    const { agent, events } = await start({ providers: [CardTools] });
    let tokens = 0;
    events.subscribe((event) => {
      if (event.type === 'run-finished' || event.type === 'run-failed') {
        tokens += event.usage.totalTokens;
      }
    });
    const first = scripted([
      { calls: [CHARGE], usage: usage(10, 5) },
      { text: 'Done.', usage: usage(20, 1) },
    ]);
    const { usage: used } = await agent.run('Go.', { model: first });
    expect(used).toMatchObject(usage(30, 6));
    const second = scripted([
      { calls: [CHARGE], usage: usage(3, 1) },
      { error: new Error('overloaded') },
    ]);
    await expect(agent.run('Go.', { model: second })).rejects.toThrow('overloaded');
    expect(tokens).toBe(40);
  });

  it('writes one line of JSON for each event', async () => {
    const started = await start({ providers: [CardTools] });
    const lines: string[] = [];
    started.events.subscribe((event) => lines.push(toLine(event)));
    const events = recorded(started);
    await started.step([CHARGE, CRASH]);
    expect(lines.map((line) => (JSON.parse(line) as RuntimeEvent).type)).toEqual(
      events.map(({ type }) => type),
    );
    const failed = lines.find((line) => line.includes('"tool-failed"')) ?? '';
    expect(JSON.parse(failed)).toMatchObject({
      name: 'crash',
      result: { status: 'error', error: { message: 'The bank does not answer.' } },
    });
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  });
});
