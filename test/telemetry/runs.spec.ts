/** The spans of runs: which there are, below which, and what they say when all goes well. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SpanKind, trace } from '@opentelemetry/api';
import {
  AgentEvents,
  AgentService,
  AgentToolsModule,
  getAgentToken,
  Tool,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';
import { openShop, QUESTION, WAYS } from './support/shop.js';
import { ShopTools } from './support/shop.tools.js';
import { endingOf, recordSpans } from './support/spans.js';

const FIND = { tool: 'find', id: 'call_a', arguments: { orderNo: 'A-1042' } };
const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

describe.each(WAYS)('a recorded %s', (_way, run) => {
  it('is a span with its turns, its calls and what the tools record below it', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(scripted([FIND, 'On its way.']));
    expect(await run(agent)).toMatchObject({ status: 'completed', text: 'On its way.' });
    expect(shop.seen.runs).toEqual(['find']);
    expect(spans.tree).toEqual([
      'invoke_agent',
      '  chat scripted',
      '  execute_tool find',
      '    load order',
      '  chat scripted',
    ]);
    expect(spans.all.map(endingOf)).toEqual(['fine', 'fine', 'fine', 'fine', 'fine']);
  });

  it('says what the conventions want and nothing else', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(
      scripted([
        { calls: [FIND], usage: usage(10, 4) },
        { text: 'On its way.', usage: { ...usage(30, 6), cacheReadTokens: 9, reasoningTokens: 2 } },
      ]),
    );
    await run(agent, { context: { conversationId: 'chat-7' } });
    const [whole, first, tool, , second] = spans.all;
    expect(whole.kind).toBe(SpanKind.INTERNAL);
    expect(whole.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': 'chat-7',
      'gen_ai.usage.input_tokens': 40,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.usage.cache_read.input_tokens': 9,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
    expect(first.kind).toBe(SpanKind.CLIENT);
    expect(first.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': 'chat-7',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 4,
    });
    expect(tool.kind).toBe(SpanKind.INTERNAL);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_a',
      'gen_ai.tool.description': 'Find an order.',
    });
    expect(second.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': 'chat-7',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 6,
      'gen_ai.usage.cache_read.input_tokens': 9,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
    expect(spans.all.every(({ events }) => events.length === 0)).toBe(true);
  });

  it('makes siblings of calls that run side by side, each with its own spans', async () => {
    const spans = recordSpans();
    const calls = ['A-1', 'A-2', 'A-3'].map((orderNo) => ({
      tool: 'find',
      arguments: { orderNo },
    }));
    const { agent } = await openShop(scripted([[...calls, { tool: 'careful' }], 'All found.']));
    await run(agent);
    expect(spans.tree).toEqual([
      'invoke_agent',
      '  chat scripted',
      ...Array.from({ length: 3 }, () => ['  execute_tool find', '    load order']).flat(),
      '  execute_tool careful',
      '    try',
      '  chat scripted',
    ]);
    expect(
      spans.named('execute_tool find').map((span) => span.attributes['gen_ai.tool.call.id']),
    ).toEqual(['call_1', 'call_2', 'call_3']);
    expect(endingOf(spans.only('execute_tool careful'))).toBe('fine');
  });

  it('gives its trace to the calls of tools', async () => {
    const spans = recordSpans();
    const { agent, shop } = await openShop(scripted([[FIND, { tool: 'shop_count' }], 'Yes.']));
    await run(agent);
    const { traceId } = spans.only('invoke_agent').spanContext();
    expect(shop.seen.traceIds).toEqual([traceId, traceId]);
    expect(new Set(spans.all.map((span) => span.spanContext().traceId))).toEqual(
      new Set([traceId]),
    );
  });

  it('stands below the span in which it was started', async () => {
    const spans = recordSpans();
    const { agent } = await openShop(scripted(['Hello.']));
    await trace.getTracer('http').startActiveSpan('POST /chat', async (span) => {
      await run(agent);
      span.end();
    });
    expect(spans.tree).toEqual(['POST /chat', '  invoke_agent', '    chat scripted']);
  });
});

it('a stream stands below the span in which it was made, whoever reads it', async () => {
  const spans = recordSpans();
  const { agent } = await openShop(scripted(['Hello.']));
  const tracer = trace.getTracer('http');
  const stream = tracer.startActiveSpan('made here', (span) => {
    span.end();
    return agent.stream(QUESTION);
  });
  await tracer.startActiveSpan('read here', async (span) => {
    await stream.result;
    span.end();
  });
  expect(spans.tree).toEqual(['made here', '  invoke_agent', '    chat scripted', 'read here']);
});

it('runs at the same time do not mix', async () => {
  const spans = recordSpans();
  const model = scripted([FIND, FIND, 'One.', 'Two.']);
  const { agent, shop } = await openShop(model);
  await Promise.all([
    agent.run(QUESTION, { context: { conversationId: 'one' } }),
    agent.stream(QUESTION, { context: { conversationId: 'two' } }).result,
  ]);
  const one = ['invoke_agent', '  chat scripted', '  execute_tool find', '    load order'];
  expect(spans.tree).toEqual([...one, '  chat scripted', ...one, '  chat scripted']);
  for (const root of spans.named('invoke_agent')) {
    const { traceId } = root.spanContext();
    const turns = spans.named('chat scripted').filter((it) => it.spanContext().traceId === traceId);
    const conversation = root.attributes['gen_ai.conversation.id'];
    expect(turns.map((turn) => turn.attributes['gen_ai.conversation.id'])).toEqual([
      conversation,
      conversation,
    ]);
    expect(shop.seen.traceIds.filter((id) => id === traceId)).toHaveLength(1);
  }
});

it('a named agent is named in its span', async () => {
  const spans = recordSpans();
  const app = await createApp(
    {
      imports: [AgentToolsModule.forFeature({ agents: [{ name: 'clerk' }] })],
      providers: [ShopTools],
    },
    { model: scripted(['Hello.']) },
  );
  await app.get<AgentService>(getAgentToken('clerk'), { strict: false }).run(QUESTION);
  await app.close();
  expect(spans.only('invoke_agent clerk').attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'clerk',
  });
});

it('the provider of a model is recorded if its name has one that is known', async () => {
  const spans = recordSpans();
  const { agent } = await openShop(scripted([]));
  const named = (name: string) => Object.assign(scripted(['Hello.']), { name });
  await agent.run(QUESTION, { model: named('openai:gpt-5-mini') });
  await agent.run(QUESTION, { model: named('qwen3:8b') });
  expect(spans.only('chat gpt-5-mini').attributes).toMatchObject({
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5-mini',
  });
  const other = spans.only('chat qwen3:8b').attributes;
  expect(other['gen_ai.request.model']).toBe('qwen3:8b');
  expect(other).not.toHaveProperty(['gen_ai.provider.name']);
});

it('an agent that is asked by a tool stands below the call, in a conversation of its own', async () => {
  @Injectable()
  class Desk {
    constructor(private readonly modules: ModuleRef) {}

    @Tool('Asks the clerk.')
    async ask() {
      const clerk = this.modules.get<AgentService>(getAgentToken('clerk'), { strict: false });
      return (await clerk.run(QUESTION)).text;
    }
  }
  const spans = recordSpans();
  const clerk = { name: 'clerk', model: scripted([FIND, 'On its way.']) };
  const app = await createApp(
    { imports: [AgentToolsModule.forFeature({ agents: [clerk] })], providers: [ShopTools, Desk] },
    { model: scripted([{ tool: 'ask' }, 'The clerk says it is on its way.']) },
  );
  await app.get(AgentService).run(QUESTION, { context: { conversationId: 'chat-7' } });
  await app.close();
  expect(spans.tree).toEqual([
    'invoke_agent',
    '  chat scripted',
    '  execute_tool ask',
    '    invoke_agent clerk',
    '      chat scripted',
    '      execute_tool find',
    '        load order',
    '      chat scripted',
    '  chat scripted',
  ]);
  const conversations = spans.all.map((span) => span.attributes['gen_ai.conversation.id']);
  expect(conversations.map((id) => id ?? '-').join(' ')).toBe('chat-7 chat-7 - - - - - - chat-7');
});

it('the events of a run belong to the trace of its span', async () => {
  const spans = recordSpans();
  const { app, agent } = await openShop(scripted([FIND, 'On its way.']));
  const observed: string[] = [];
  const subscription = app.get(AgentEvents).subscribe(({ traceId }) => observed.push(traceId));
  await agent.run(QUESTION);
  subscription.unsubscribe();
  const { traceId } = spans.only('invoke_agent').spanContext();
  expect(observed.length).toBeGreaterThan(5);
  expect(new Set(observed)).toEqual(new Set([traceId]));
});
