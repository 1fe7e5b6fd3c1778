/** The spans of calls without an agent, and of those that are not plain. */
import { expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { AgentEvents, Tool } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';
import { openShop, QUESTION } from './support/shop.js';
import { endingOf, recordSpans } from './support/spans.js';

it('a tool that has another name for models is recorded under its own, and may use the span', async () => {
  const spans = recordSpans();
  const { agent } = await openShop(scripted([{ tool: 'shop_count' }, 'Three.']));
  await agent.run(QUESTION);
  const span = spans.only('execute_tool shop.count');
  expect(span.attributes['gen_ai.tool.name']).toBe('shop.count');
  expect(span.events.map(({ name }) => name)).toEqual(['counted']);
});

it('a call that is repeated is one span', async () => {
  let attempts = 0;
  class Flaky {
    @Tool({ description: 'Works the second time.', effect: 'read', retry: { times: 1, delay: 1 } })
    flaky() {
      trace.getTracer('app').startSpan(`attempt ${++attempts}`).end();
      if (attempts === 1) throw new Error('not yet');
      return 'done';
    }
  }
  const spans = recordSpans();
  const app = await createApp({ providers: [Flaky] });
  await callTool(app, 'flaky', {});
  await app.close();
  expect(spans.tree).toEqual(['execute_tool flaky', '  attempt 1', '  attempt 2']);
  expect(endingOf(spans.only('execute_tool flaky'))).toBe('fine');
});

it('a call without an agent is a span of its own, below that of its caller', async () => {
  const spans = recordSpans();
  const { app } = await openShop(scripted([]));
  await callTool(app, 'find', { orderNo: 'A-1' });
  await trace.getTracer('http').startActiveSpan('POST /tools', async (span) => {
    await callTool(app, 'shop.count', {});
    span.end();
  });
  expect(spans.tree).toEqual([
    'execute_tool find',
    '  load order',
    'POST /tools',
    '  execute_tool shop.count',
  ]);
});

it('a call without an agent belongs to the trace of its span, for the tool and for observers', async () => {
  const spans = recordSpans();
  const { app, shop } = await openShop(scripted([]));
  const observed: string[] = [];
  const subscription = app.get(AgentEvents).subscribe(({ traceId }) => observed.push(traceId));
  await callTool(app, 'find', { orderNo: 'A-1' });
  subscription.unsubscribe();
  const { traceId } = spans.only('execute_tool find').spanContext();
  expect(shop.seen.traceIds).toEqual([traceId]);
  expect(new Set(observed)).toEqual(new Set([traceId]));
});
