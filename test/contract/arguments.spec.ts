import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, UseFilters, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExceptionFilter, NestInterceptor } from '@nestjs/common';
import { Tool, ToolInput, ToolParam, type ChatModel, type ChatRequest } from 'nestjs-agent-tools';
import { anthropic, toAnthropicBody } from 'nestjs-agent-tools/anthropic';
import { toGeminiBody } from 'nestjs-agent-tools/gemini';
import { toChatCompletionsBody, toResponsesBody } from 'nestjs-agent-tools/openai';
import { fromChunks, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { startAgent } from '../loop/support/agent.js';
import { collect, readCalls, streamingCalls, Turns } from './support.js';

class PassThrough implements NestInterceptor {
  intercept(_: unknown, next: CallHandler) {
    return next.handle();
  }
}

class Rethrow implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}

@Injectable()
class Tools {
  readonly got: unknown[] = [];

  @Tool('No arguments.')
  now(): string {
    this.got.push('now');
    return 'noon';
  }

  @Tool({ description: 'A place.', inputSchema: z.object({ city: z.string() }) })
  weather(@ToolInput() input: { city: string }): string {
    this.got.push(input);
    return 'sunny';
  }

  @Tool({ description: 'The same behind enhancers.', inputSchema: z.object({ city: z.string() }) })
  @UseInterceptors(PassThrough)
  @UseFilters(Rethrow)
  guarded(@ToolInput() input: { city: string }): string {
    this.got.push(input);
    return 'sunny';
  }

  @Tool({
    description: 'A page.',
    inputSchema: z.object({
      limit: z.number().optional(),
      unit: z.string().nullable().optional(),
      level: z.enum(['INFO']).optional(),
    }),
  })
  page(@ToolInput() input: object): string {
    this.got.push(input);
    return 'page';
  }

  @Tool({ description: 'An id.', inputSchema: z.object({ id: z.number() }) })
  byId(@ToolInput() input: object): string {
    this.got.push(input);
    return 'found';
  }

  @Tool({ description: 'Nullable.', inputSchema: z.object({ unit: z.string().nullable() }) })
  unit(@ToolInput() input: object): string {
    this.got.push(input);
    return 'unit';
  }

  @Tool('Flat.')
  filter(@ToolParam('x') x: number): string {
    this.got.push(x);
    return 'filtered';
  }

  @Tool({
    description: 'A secret.',
    inputSchema: z.object({ password: z.string(), n: z.number() }),
  })
  login(@ToolInput() input: object): string {
    this.got.push(input);
    return 'in';
  }
}

/** What the method got, and what the model reads of its call. */
async function call(name: string, json: string) {
  const model = new Turns(
    streamingCalls([{ index: 0, id: 'c1', function: { name, arguments: json } }]),
  );
  const { agent, app } = await startAgent([Tools], { model });
  const result = await agent.stream('Go.').result;
  const [{ status, content }] = result.steps[0].toolResults;
  return { got: app.get(Tools).got, status, content: String(content), result };
}

/** Bodies in which a stored call with these arguments goes back, and where its arguments are there. */
const REPLAYS: readonly (readonly [string, (request: ChatRequest) => unknown])[] = [
  [
    'openai',
    (request) => {
      const { messages } = toChatCompletionsBody(request, { model: 'm' });
      const [, assistant] = messages as { tool_calls: { function: { arguments: string } }[] }[];
      return JSON.parse(assistant.tool_calls[0].function.arguments);
    },
  ],
  [
    'openaiResponses',
    (request) => {
      const { input } = toResponsesBody(request, { model: 'm' });
      const items = input as { type: string; arguments: string }[];
      return JSON.parse(items.find(({ type }) => type === 'function_call')?.arguments ?? '0');
    },
  ],
  [
    'anthropic',
    (request) => {
      const { messages } = toAnthropicBody(request, { model: 'claude-sonnet-4-5' });
      const [, assistant] = messages as { content: { type: string; input: unknown }[] }[];
      return assistant.content.find(({ type }) => type === 'tool_use')?.input;
    },
  ],
  [
    'gemini',
    (request) => {
      const { contents } = toGeminiBody(request, { model: 'gemini-2.5-flash' });
      const [, model] = contents as { parts: { functionCall?: { args: unknown } }[] }[];
      return model.parts.find(({ functionCall }) => functionCall)?.functionCall?.args;
    },
  ],
];

const stored = (json: string): ChatRequest => ({
  messages: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'c1', name: 'now', arguments: json }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'c1', name: 'now', status: 'success', content: 'noon' },
      ],
    },
  ],
});

describe('the arguments of a call', () => {
  it('17: that are an empty text are none, and go back as an object', async () => {
    const { got, status, result } = await call('now', '');
    expect([got, status]).toEqual([['now'], 'success']);
    expect(result.messages[0]).toMatchObject({ content: [{ arguments: '{}' }] });
  });

  it.each(REPLAYS)('17: that are empty in a store go to %s as an object', (_, read) => {
    expect(read(stored(''))).toEqual({});
  });

  it('18: that are null are none', async () => {
    const model: ChatModel = streamingCalls([
      { index: 0, id: 'c1', function: { name: 'now', arguments: null } },
    ]);
    expect(await readCalls(model)).toEqual([['now', '{}']]);
  });

  it.each(REPLAYS)('18: that a store lacks go to %s as an object', (_, read) => {
    expect(read(stored(undefined as never))).toEqual({});
  });

  it('19: that are broken JSON are told to the model, and stored as an object', async () => {
    const { got, status, result } = await call('weather', '{"city": \u0000 "Par');
    expect([got, status]).toEqual([[], 'error']);
    const [assistant] = JSON.parse(JSON.stringify(result.messages)) as {
      content: { arguments: string }[];
    }[];
    expect(JSON.parse(assistant.content[0].arguments)).toEqual({
      INVALID_JSON: expect.stringContaining('Par'),
    });
  });

  it.each(REPLAYS)('19: that are broken in a store go to %s within an object', (_, read) => {
    expect(read(stored('{"city": "Par'))).toEqual({ INVALID_JSON: '{"city": "Par' });
  });

  it('20: that are no JSON do not end the run, nor run the tool with none', async () => {
    const { got, status, result } = await call('page', 'not json');
    expect([got, status, result.status]).toEqual([[], 'error', 'completed']);
    expect(result.steps[0].toolResults).toHaveLength(1);
  });

  it('21: that are wrong are the same error behind an interceptor and a filter', async () => {
    const guarded = await call('guarded', '{"city":[]}');
    expect(guarded.status).toBe('error');
    const bare = await call('weather', '{"city":[]}');
    expect(guarded.content.replaceAll('guarded', 'weather')).toBe(bare.content);
    expect(guarded.got).toEqual([]);
  });

  it('22: are read as what they clearly mean, and as nothing else', async () => {
    expect((await call('page', '{"limit":"500"}')).got).toEqual([{ limit: 500 }]);
    for (const wrong of ['"abc"', '""', '"0x1F"']) {
      const { got, status, content } = await call('byId', `{"id":${wrong}}`);
      expect([wrong, got, status]).toEqual([wrong, [], 'error']);
      expect(content).toContain('id');
    }
  });

  it('23: with a number that cannot be kept exactly are refused, not rounded', async () => {
    const { got, status } = await call('byId', '{"id":9007199254740993}');
    expect([got, status]).toEqual([[], 'error']);
  });

  it('24: that lack something say what', async () => {
    const { got, content } = await call('byId', '{}');
    expect(got).toEqual([]);
    expect(content).toMatch(/id/);
    expect(content).not.toMatch(/undefined is not|Cannot read/);
  });

  it('25: keep a null that is meant', async () => {
    expect((await call('unit', '{"unit":null}')).got).toEqual([{ unit: null }]);
  });

  it('26: may be wrapped in an object once', async () => {
    expect((await call('filter', '{"arguments":{"x":1}}')).got).toEqual([1]);
  });

  it('28: that are null where nothing is needed are left out', async () => {
    expect((await call('page', '{"limit":null}')).got).toEqual([{}]);
  });

  it('29: that are wrong are told to the model with what came', async () => {
    expect((await call('byId', '{"id":"seven"}')).content).toContain('seven');
  });

  it('30: are compared by their characters, whatever the language of the machine', async () => {
    const { got } = await call('page', '{"level":"INFO"}');
    expect(got).toEqual([{ level: 'INFO' }]);
    const before = process.env.LC_ALL;
    process.env.LC_ALL = 'tr_TR';
    try {
      expect((await call('page', '{"level":"info"}')).got).toEqual([{ level: 'INFO' }]);
    } finally {
      if (before === undefined) delete process.env.LC_ALL;
      else process.env.LC_ALL = before;
    }
  });

  it('31: do not get into a log', async () => {
    const lines: unknown[] = [];
    const logger = { log: jest.fn(), error: jest.fn(), warn: jest.fn(), debug: jest.fn() };
    const model = new Turns(
      streamingCalls([
        {
          index: 0,
          id: 'c1',
          function: { name: 'login', arguments: '{"password":"s3cret","n":"x"}' },
        },
      ]),
      scripted(['done']),
    );
    const { agent } = await startAgent([Tools], { model });
    Logger.overrideLogger(logger);
    try {
      const { steps } = await agent.stream('Go.').result;
      expect(steps[0].toolResults[0].status).toBe('error');
    } finally {
      Logger.overrideLogger(false);
    }
    for (const method of Object.values(logger)) lines.push(...method.mock.calls.flat());
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });

  it('19: of Anthropic that are cut off are read as they came', async () => {
    const block = { type: 'tool_use', id: 't', name: 'weather', input: {} };
    const delta = { type: 'input_json_delta', partial_json: '{"city": "Par' };
    const response = await collect(
      fromChunks(anthropic, [
        { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'max_tokens' },
          usage: { output_tokens: 2 },
        },
        { type: 'message_stop' },
      ]),
    );
    expect(response).toMatchObject({
      finishReason: 'length',
      content: [{ arguments: '{"city": "Par' }],
    });
  });
});
