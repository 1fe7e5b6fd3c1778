import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  ChatModelException,
  ChatStreamAssembler,
  ChatStreamException,
  Tool,
  ToolParam,
  ToolResult,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
} from 'nestjs-agent-tools';
import { fromAiSdk, type AiSdkOptions } from 'nestjs-agent-tools/ai-sdk';
import { startAgent } from '../loop/support/agent.js';
import { collect, failure, sendJson, startServer, type TestServer } from '../models/test-server.js';
import { ALL, ANTHROPIC, KEY, RESPONSES, type PackageCase } from './support/packages.js';
import { answer, chat, messages, responses, sendEvents, type WireAnswer } from './support/wires.js';

const ASKED: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const PIXEL = 'iVBORw0KGgo=';
const FAST: AiSdkOptions = { retry: { delay: 1 } };

@Injectable()
class OrderTools {
  @Tool('Looks up an order.')
  find(@ToolParam('no', { schema: { type: 'string' } }) no: string) {
    return `Order ${no} is on its way.`;
  }

  @Tool('Shows an order.')
  show(@ToolParam('no', { schema: { type: 'string' } }) no: string) {
    return new ToolResult([
      { type: 'text', text: `Photo of ${no}:` },
      { type: 'image', url: `data:image/png;base64,${PIXEL}` },
    ]);
  }
}

const warn = jest.spyOn(Logger.prototype, 'warn');
beforeEach(() => {
  warn.mockImplementation(() => {});
});
afterEach(() => {
  warn.mockReset();
});

/** A server that gives these answers, one after the other. */
function serve(...answers: readonly WireAnswer[]): Promise<TestServer> {
  const server = startServer((response, attempt) => {
    const given = answers[attempt - 1];
    if (given) answer(response, given, bodyOf(started, attempt).stream);
    else sendJson(response, 500, { error: { message: 'Nothing more to say' } });
  });
  let started: TestServer | undefined;
  return server.then((value) => (started = value));
}

function bodyOf(server: TestServer | undefined, attempt: number): Record<string, unknown> {
  return server?.requests[attempt - 1]?.body ?? {};
}

async function streamed(model: ChatModel, request = ASKED) {
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(request, {})) assembler.push(delta);
  return assembler.finish();
}

/** Runs a tool that is called, and gives the body of the request with its result. */
async function runTool(
  { make }: Pick<PackageCase, 'make'>,
  answers: readonly WireAnswer[],
  way: 'run' | 'stream',
  { model, options }: { model?: string; options?: AiSdkOptions } = {},
) {
  const server = await serve(...answers);
  const { agent } = await startAgent([OrderTools], {
    model: fromAiSdk(make(server.url, model), { ...FAST, ...options }),
  });
  const result =
    way === 'run' ? await agent.run('Where is A1?') : await agent.stream('Where is A1?').result;
  return { result, server, body: bodyOf(server, 2), json: JSON.stringify(bodyOf(server, 2)) };
}

describe.each(ALL)('A model of $name', ({ make, wire }) => {
  const expectedUsage =
    wire === messages
      ? { inputTokens: 10, outputTokens: 4, cacheReadTokens: 3, cacheWriteTokens: 2 }
      : { inputTokens: 10, outputTokens: 4, cacheReadTokens: 3, reasoningTokens: 1 };

  it('answers with text, streamed as whole', async () => {
    const server = await serve(wire.text('Hello.'), wire.text('Hello.'));
    const model = fromAiSdk(make(server.url));
    const whole = await model.generate(ASKED, {});
    expect(whole).toMatchObject({
      content: [{ type: 'text', text: 'Hello.' }],
      finishReason: 'stop',
      usage: { ...expectedUsage, totalTokens: 14 },
    });
    expect(await streamed(model)).toEqual(whole);
    expect(server.requests.map(({ url }) => url)).toEqual([wire.path, wire.path]);
    expect(warn.mock.calls).toEqual([]);
  });

  it('gives its text as it comes', async () => {
    const server = await serve(wire.text('Hello.'));
    const deltas = await collect(fromAiSdk(make(server.url)).stream(ASKED, {}));
    const texts = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).filter(Boolean);
    expect(texts).toEqual(['He', 'llo.']);
  });

  it.each(['run', 'stream'] as const)('calls tools and reads their results: %s', async (way) => {
    const answers = [wire.call('call_1', 'find', { no: 'A1' }), wire.text('On its way.')];
    const { result, server, json } = await runTool({ make }, answers, way);
    expect(result).toMatchObject({ status: 'completed', text: 'On its way.' });
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 8 });
    expect(server.requests).toHaveLength(2);
    expect(json).toContain('Order A1 is on its way.');
    expect(json.split('call_1').length - 1).toBe(2);
    expect(JSON.stringify(bodyOf(server, 1).tools)).toContain('Looks up an order.');
  });

  it('is shown the images of a user', async () => {
    const server = await serve(wire.text('A dot.'));
    const url = 'https://example.com/a.png';
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image', url: `data:image/png;base64,${PIXEL}` },
      { type: 'image', url },
    ] as const;
    await fromAiSdk(make(server.url)).generate({ messages: [{ role: 'user', content }] }, {});
    const json = JSON.stringify(bodyOf(server, 1));
    expect(json).toContain(PIXEL);
    expect(json).toContain(url);
    expect(warn.mock.calls).toEqual([]);
  });

  it('is shown the images of a tool, and not as text', async () => {
    const answers = [wire.call('call_1', 'show', { no: 'A1' }), wire.text('A dot.')];
    const { body } = await runTool({ make }, answers, 'run');
    const all = (body.messages ?? body.input) as { content?: unknown; output?: unknown }[];
    const image = {
      [chat.path]: {
        role: 'user',
        content: [{}, { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }],
      },
      [responses.path]: {
        type: 'function_call_output',
        output: [{}, { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` }],
      },
      [messages.path]: {
        content: [
          {
            type: 'tool_result',
            content: [{}, { type: 'image', source: { media_type: 'image/png', data: PIXEL } }],
          },
        ],
      },
    }[wire.path];
    expect(all.at(-1)).toMatchObject(image ?? {});
    expect(JSON.stringify(body).split(PIXEL).length - 1).toBe(1);
  });

  it('is asked again after 429, when the server allows it', async () => {
    let second = 0;
    const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } };
    const server = await startServer((response, attempt) => {
      if (attempt === 1) {
        sendJson(response, 429, error, { 'retry-after-ms': '40', 'request-id': 'req_7' });
        return;
      }
      second = performance.now();
      answer(response, wire.text('Hello.'), true);
    });
    const failures: [ChatModelException, number][] = [];
    const model = fromAiSdk(make(server.url), FAST);
    const onRetry = ({ error: failed }: { error: ChatModelException }) => {
      failures.push([failed, performance.now()]);
    };
    const deltas = await collect(model.stream(ASKED, { onRetry }));
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(failures).toHaveLength(1);
    const [failed, at] = failures[0] ?? [];
    expect(failed).toMatchObject({ status: 429, retryAfter: 40, requestId: 'req_7' });
    expect(failed?.code).toBe('rate_limit_error');
    // Timers may fire a little early.
    expect(second - (at ?? 0)).toBeGreaterThan(35);
  });

  it('that refuses a key is not asked again', async () => {
    const server = await startServer((response) =>
      sendJson(response, 401, { error: { message: `Wrong key ${KEY}`, type: 'auth' } }),
    );
    const error = await failure<ChatModelException>(
      fromAiSdk(make(server.url), FAST).generate(ASKED, {}),
    );
    expect(server.requests).toHaveLength(1);
    expect(error).toMatchObject({ status: 401, retryable: false });
    expect(`${error.message} ${error.body}`).not.toContain(KEY);
  });

  /** A stream of which a piece has come, and nothing more will. */
  const begin = async (signal?: AbortSignal) => {
    const events = wire.text('Hello.').events.slice(0, wire === responses ? 4 : 3);
    const server = await startServer((response) => sendEvents(response, events));
    const stream = fromAiSdk(make(server.url), FAST).stream(ASKED, { signal });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    return { server, iterator };
  };

  it('loses its connection with an abort', async () => {
    const controller = new AbortController();
    const { server, iterator } = await begin(controller.signal);
    const next = failure(collect({ [Symbol.asyncIterator]: () => iterator }));
    const reason = new Error('Enough');
    controller.abort(reason);
    expect(await next).toBe(reason);
    await server.requests[0]?.closed;
    expect(server.requests).toHaveLength(1);
  });

  it('loses its connection when it is left early', async () => {
    const { server, iterator } = await begin();
    await iterator.return?.();
    await server.requests[0]?.closed;
    expect(server.requests).toHaveLength(1);
  });

  it('whose stream ends too early is cut off', async () => {
    const events = wire.text('Hello.').events;
    const server = await startServer((response) => {
      sendEvents(response, events.slice(0, wire === responses ? 4 : 3));
      response.end();
    });
    const model = fromAiSdk(make(server.url), { retry: { maxRetries: 0 } });
    expect(await failure(streamed(model))).toBeInstanceOf(ChatStreamException);
  });
});

describe.each(ANTHROPIC)('Thinking of $name', ({ make }) => {
  const thinking = { type: 'enabled', budgetTokens: 1_024 };
  const options: AiSdkOptions = { providerOptions: { anthropic: { thinking } } };

  it.each(['run', 'stream'] as const)('goes back with its signature: %s', async (way) => {
    const answers = [messages.thoughtCall('call_1', 'find', { no: 'A1' }), messages.text('Yes.')];
    const { body } = await runTool({ make }, answers, way, { options });
    expect(body.thinking).toMatchObject({ type: 'enabled', budget_tokens: 1_024 });
    expect((body.messages as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me look.', signature: 'sig-1' },
        expect.objectContaining({ type: 'tool_use', id: 'call_1', input: { no: 'A1' } }),
      ],
    });
  });

  it('survives a store', async () => {
    const answers = [messages.thoughtCall('call_1', 'find', { no: 'A1' }), messages.text('Yes.')];
    const { result } = await runTool({ make }, answers, 'stream', { options });
    const stored = JSON.parse(JSON.stringify(result.messages)) as ChatMessage[];
    const server = await serve(messages.text('Yes.'));
    const model = fromAiSdk(make(server.url), options);
    await model.generate({ messages: [...stored, { role: 'user', content: 'Sure?' }] }, {});
    expect(JSON.stringify(bodyOf(server, 1))).toContain('"signature":"sig-1"');
  });
});

describe.each(ANTHROPIC)('A search that the server of $name has run', ({ make }) => {
  it.each(['generate', 'stream'] as const)('is no call, and goes back: %s', async (way) => {
    const server = await serve(messages.searched('Found.'), messages.text('Yes.'));
    const model = fromAiSdk(make(server.url), FAST);
    const { content } = way === 'stream' ? await streamed(model) : await model.generate(ASKED, {});
    expect(content.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text']);
    const history: ChatMessage[] = [
      ...ASKED.messages,
      { role: 'assistant', content },
      { role: 'user', content: 'Sure?' },
    ];
    await model.generate({ messages: history }, {});
    expect((bodyOf(server, 2).messages as unknown[])[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'a' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srv_1',
          content: [{ url: 'https://a.example', encrypted_content: 'enc' }],
        },
        { type: 'text', text: 'Found.' },
      ],
    });
  });
});

describe.each(RESPONSES)('Reasoning of $name', ({ make }) => {
  it.each(['run', 'stream'] as const)('goes back as it came: %s', async (way) => {
    const answers = [
      responses.reasonedCall('call_1', 'find', { no: 'A1' }),
      responses.text('Yes.'),
    ];
    const options: AiSdkOptions = {
      providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
    };
    const { body } = await runTool({ make }, answers, way, { options, model: 'gpt-5-mini' });
    const reasoning = (body.input as { type?: string }[]).filter(
      ({ type }) => type === 'reasoning',
    );
    expect(reasoning).toEqual([
      expect.objectContaining({
        encrypted_content: 'encrypted',
        summary: ['First.', 'Second.'].map((text) => ({ type: 'summary_text', text })),
      }),
    ]);
  });
});

describe('Settings', () => {
  const modelOf = (name: string, url: string, options: AiSdkOptions, model?: string) => {
    const found = ALL.find((entry) => entry.name === name);
    if (!found) throw new Error(`There is no ${name}.`);
    return fromAiSdk(found.make(url, model), options);
  };

  it('reach the server', async () => {
    const server = await serve(chat.text('{}'));
    const model = modelOf('OpenAI V4, Chat Completions', server.url, {
      temperature: 0,
      topP: 0.5,
      maxTokens: 100,
      stop: ['END'],
      seed: 7,
      headers: { 'x-tenant': 'a' },
      responseFormat: { type: 'json', schema: { type: 'object', properties: {} }, name: 'it' },
      providerOptions: { openai: { parallelToolCalls: false } },
    });
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const tools = [{ name: 'f', description: 'F.', inputSchema, strict: true }];
    await model.generate({ ...ASKED, tools, toolChoice: { tool: 'f' } }, {});
    expect(bodyOf(server, 1)).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      max_tokens: 100,
      stop: ['END'],
      seed: 7,
      parallel_tool_calls: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'it', schema: { type: 'object' } },
      },
      tools: [{ type: 'function', function: { name: 'f', parameters: inputSchema, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
    });
    expect(server.requests[0]?.headers['x-tenant']).toBe('a');
  });

  it('tell V4 how much to reason', async () => {
    const server = await serve(responses.text('Hi'));
    const options: AiSdkOptions = { reasoningEffort: 'low' };
    await modelOf('OpenAI V4, Responses', server.url, options, 'gpt-5-mini').generate(ASKED, {});
    expect(bodyOf(server, 1)).toMatchObject({ reasoning: { effort: 'low' } });
  });

  it('that a provider does not take are in the log, once', async () => {
    const server = await serve(responses.text('Hi'), responses.text('Hi'));
    const model = modelOf('OpenAI V4, Responses', server.url, { seed: 7 });
    await model.generate(ASKED, {});
    await streamed(model);
    expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/warns: unsupported "seed"/)]);
  });
});
