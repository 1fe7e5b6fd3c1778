import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { startAgent } from '../loop/support/agent.js';
import { collect, failure, sendJson, startEvents, startServer } from '../models/test-server.js';
import { ASK } from './support/ask.js';
import { chatOpenAI } from './support/chat-completions.js';
import { FakeChat } from './support/fake-chat.model.js';

const USAGE = {
  input_tokens: 9,
  output_tokens: 5,
  total_tokens: 14,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens_details: { reasoning_tokens: 1 },
};
const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Look it up.' }],
};
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'find',
  arguments: '{"no":"A-1"}',
  status: 'completed',
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
};

@Injectable()
class OrderTools {
  @Tool('Finds an order.')
  find(@ToolParam('no') no: string) {
    return `${no} is on its way`;
  }
}

function responseOf(output: readonly object[], fields: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    model: 'gpt-5-mini',
    status: 'completed',
    output,
    usage: USAGE,
    ...fields,
  };
}

function sendEvents(response: ServerResponse, events: readonly object[]): void {
  startEvents(response);
  for (const event of events) {
    const { type } = event as { type: string };
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function callEvents(): object[] {
  const text = 'Look it up.';
  return [
    { type: 'response.created', response: responseOf([], { status: 'in_progress', usage: null }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...REASONING, summary: [] } },
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 0,
      delta: text,
    },
    { type: 'response.output_item.done', output_index: 0, item: REASONING },
    { type: 'response.output_item.added', output_index: 1, item: { ...CALL, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"no":' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '"A-1"}' },
    { type: 'response.output_item.done', output_index: 1, item: CALL },
    { type: 'response.completed', response: responseOf([REASONING, CALL]) },
  ];
}

function textEvents(): object[] {
  return [
    { type: 'response.output_text.delta', content_index: 0, delta: 'Do' },
    { type: 'response.output_text.delta', content_index: 0, delta: 'ne.' },
    { type: 'response.completed', response: responseOf([MESSAGE]) },
  ];
}

describe('a run with ChatOpenAI and the Responses API', () => {
  it.each(['run', 'stream'] as const)('sends reasoning back with the call (%s)', async (way) => {
    const { url, requests } = await startServer((response, attempt) => {
      if (way === 'stream') sendEvents(response, attempt === 1 ? callEvents() : textEvents());
      else sendJson(response, 200, responseOf(attempt === 1 ? [REASONING, CALL] : [MESSAGE]));
    });
    const model = fromLangChain(chatOpenAI(url, { model: 'gpt-5-mini', useResponsesApi: true }));
    const { agent } = await startAgent([OrderTools], { model });
    const result = way === 'run' ? await agent.run('A-1?') : await agent.stream('A-1?').result;
    expect(result.text).toBe('Done.');
    expect(result.usage).toMatchObject({ inputTokens: 18, outputTokens: 10, reasoningTokens: 2 });
    expect(requests.map(({ url: path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
    expect(requests[0]?.body.tools).toMatchObject([{ type: 'function', name: 'find' }]);
    expect(requests[1]?.body.input).toEqual([
      { type: 'message', role: 'user', content: 'A-1?' },
      REASONING,
      CALL,
      { type: 'function_call_output', call_id: 'call_1', output: 'A-1 is on its way' },
    ]);
  });

  it('sends the message, not the stored items, once a call has gone', async () => {
    const { url, requests } = await startServer((response, attempt) =>
      sendJson(response, 200, responseOf(attempt === 1 ? [MESSAGE, REASONING, CALL] : [MESSAGE])),
    );
    const model = fromLangChain(chatOpenAI(url, { useResponsesApi: true }));
    const { content } = await model.generate(ASK, {});
    const withoutCall = content.map((part) =>
      part.type === 'tool-call'
        ? { type: 'text' as const, text: '', providerMetadata: part.providerMetadata }
        : part,
    );
    await model.generate(
      { messages: [...ASK.messages, { role: 'assistant', content: withoutCall }] },
      {},
    );
    expect(JSON.stringify(requests[1]?.body.input)).toContain('Done.');
    expect(JSON.stringify(requests[1]?.body.input)).not.toContain('call_1');
  });

  it('says the refusal', async () => {
    const refusal = { ...MESSAGE, content: [{ type: 'refusal', refusal: 'No.' }] };
    const { url } = await startServer((response) => sendJson(response, 200, responseOf([refusal])));
    const model = fromLangChain(chatOpenAI(url, { useResponsesApi: true }));
    expect(await model.generate(ASK, {})).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      finishReason: 'content-filter',
    });
  });

  it('takes a stream that failed for cut off', async () => {
    const failed = responseOf([], {
      status: 'failed',
      error: { code: 'server_error', message: 'x' },
    });
    const { url } = await startServer((response) =>
      sendEvents(response, [
        ...textEvents().slice(0, 2),
        { type: 'response.failed', response: failed },
      ]),
    );
    const model = fromLangChain(chatOpenAI(url, { useResponsesApi: true }));
    const deltas = await collect(model.stream(ASK, {}));
    expect(deltas.map(({ type }) => type)).toEqual(['text', 'text']);
  });

  it('refuses stop sequences, which that API lacks', async () => {
    expect(() => fromLangChain(new FakeChat('googlegenerativeai'), { stop: ['x'] })).toThrow(
      '`stop`',
    );
    const model = chatOpenAI('http://127.0.0.1:1', { useResponsesApi: true });
    expect(() => fromLangChain(model, { stop: ['x'] })).toThrow('`stop`');
    const error = await failure(
      fromLangChain(model).generate({ ...ASK, settings: { stop: ['x'] } }, {}),
    );
    expect(error.message).toContain('`stop`');
  });
});

describe('tools for the Responses API', () => {
  it('are strict if all of them are', async () => {
    const { url, requests } = await startServer((response) =>
      sendJson(response, 200, responseOf([MESSAGE])),
    );
    const model = fromLangChain(chatOpenAI(url, { useResponsesApi: true }));
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const tool = { name: 'f', description: 'F.', inputSchema, strict: true };
    await model.generate({ ...ASK, tools: [tool] }, {});
    await model.generate({ ...ASK, tools: [tool, { ...tool, name: 'g', strict: false }] }, {});
    expect(requests[0]?.body.tools).toMatchObject([
      { strict: true, parameters: { required: ['a'] } },
    ]);
    expect(requests[1]?.body.tools).toMatchObject([{ strict: null }, { strict: null }]);
  });
});
