import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { AgentToolsModule, Tool, type ChatMessage, type ChatRequest } from 'nestjs-agent-tools';
import { toAnthropicBody } from 'nestjs-agent-tools/anthropic';
import { toGeminiBody } from 'nestjs-agent-tools/gemini';
import { toChatCompletionsBody, toResponsesBody } from 'nestjs-agent-tools/openai';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';
import { bootError } from '../support/app.js';
import { callsOf, collect, streamingCalls, Turns, type WirePiece } from './support.js';

@Injectable()
class Tools {
  runs = 0;

  @Tool('Runs.')
  valid(): string {
    return `run ${++this.runs}`;
  }

  @Tool({ name: 'service.doSomething now/here', description: 'An odd name.' })
  odd(): string {
    return 'odd';
  }
}

const piece = (index: number, id: string | undefined, name: string): WirePiece => ({
  index,
  ...(id !== undefined && { id }),
  function: { name, arguments: '{}' },
});

async function run(...turns: WirePiece[][]) {
  const model = new Turns(...turns.map((calls) => streamingCalls(calls)));
  const { agent, app } = await startAgent([Tools], { model });
  const result = await agent.stream('Go.').result;
  return { result, requests: model.requests, tools: app.get(Tools), app };
}

const named = (name: string): ChatMessage[] => [
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name, arguments: '{}' }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'c1', name, status: 'error', content: 'No.' }],
  },
];

/** The name under which a call goes back, and what the provider takes. */
const NAMES: readonly (readonly [string, RegExp, (request: ChatRequest) => unknown])[] = [
  [
    'openai',
    /^[a-zA-Z0-9_-]{1,64}$/,
    (request) => {
      const { messages } = toChatCompletionsBody(request, { model: 'm' });
      return (messages as { tool_calls: { function: { name: string } }[] }[])[1].tool_calls[0]
        .function.name;
    },
  ],
  [
    'openaiResponses',
    /^[a-zA-Z0-9_-]{1,64}$/,
    (request) => {
      const { input } = toResponsesBody(request, { model: 'm' });
      return (input as { type: string; name: string }[]).find(
        ({ type }) => type === 'function_call',
      )?.name;
    },
  ],
  [
    'anthropic',
    /^[a-zA-Z0-9_-]{1,128}$/,
    (request) => {
      const { messages } = toAnthropicBody(request, { model: 'claude-sonnet-4-5' });
      return (messages as { content: { type: string; name: string }[] }[])[1].content.find(
        ({ type }) => type === 'tool_use',
      )?.name;
    },
  ],
  [
    'gemini',
    /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
    (request) => {
      const { contents } = toGeminiBody(request, { model: 'gemini-2.5-flash' });
      return (contents as { parts: { functionCall: { name: string } }[] }[])[1].parts[0]
        .functionCall.name;
    },
  ],
];

describe('names and ids', () => {
  it('32: of tools are sent in a form that every provider takes, and lead back', async () => {
    const { requests } = await run([piece(0, 'c1', 'valid')]);
    const sent = requests[0].tools?.find(({ description }) => description === 'An odd name.');
    expect(sent?.name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    const { result } = await run([piece(0, 'c1', sent?.name ?? '')]);
    expect(result.steps[0].toolResults[0]).toMatchObject({ status: 'success', content: 'odd' });
  });

  describe.each(NAMES)('33: that a model made up go back to %s', (_, pattern, read) => {
    it.each(['$READFILE', 'search.evidence invalid', '', '🎉', 'x'.repeat(300), '__proto__'])(
      '33: as something it takes: %s',
      (name) => {
        expect(read({ messages: named(name) })).toMatch(pattern);
      },
    );
  });

  it.each([
    ['34', 'nope'],
    ['35', 'undefined'],
  ])('34: of no tool get one result, which names those that there are (%s)', async (_, name) => {
    const { result } = await run([piece(0, 'c1', name)]);
    expect(result.status).toBe('completed');
    expect(result.steps[0].toolResults).toHaveLength(1);
    expect(result.steps[0].toolResults[0]).toMatchObject({
      callId: 'c1',
      status: 'error',
      content: expect.stringContaining('valid'),
    });
  });

  it('35: of no tool take the way of any other failure', async () => {
    const { result, tools } = await run([piece(0, 'c1', 'nope'), piece(1, 'c2', 'valid')]);
    expect(result.steps[0].toolResults.map(({ status }) => status)).toEqual(['error', 'success']);
    expect(tools.runs).toBe(1);
  });

  it('36: of no tool have a budget of their own', async () => {
    const { result } = await run(
      [piece(0, 'a', 'nope'), piece(1, 'b', 'valid')],
      [piece(0, 'c', 'nope'), piece(1, 'd', 'valid')],
    );
    expect(result).toMatchObject({ status: 'completed', text: 'done' });
  });

  it.each([
    ['none', undefined],
    ['empty ones', ''],
  ])('37: are made where the provider gives %s, each another', async (_, id) => {
    const calls = [piece(0, id, 'valid'), piece(1, id, 'valid')];
    const { result, tools } = await run(calls, [piece(0, id, 'valid')]);
    const ids = result.steps.flatMap(({ toolResults }) => toolResults.map(({ callId }) => callId));
    expect(ids.filter(Boolean)).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(tools.runs).toBe(3);
  });

  it('39: that come twice in a message are two calls', async () => {
    const response = await collect(
      streamingCalls([piece(0, 'c1', 'valid'), piece(1, 'c1', 'valid')]),
    );
    const ids = callsOf(response).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    const { tools } = await run([piece(0, 'c1', 'valid'), piece(1, 'c1', 'valid')]);
    expect(tools.runs).toBe(2);
  });

  it('40: of two tools must differ, or the application does not start', async () => {
    class First {
      @Tool({ name: 'search', description: 'One.' })
      one() {}
    }
    class Second {
      @Tool({ name: 'search', description: 'Two.' })
      two() {}
    }
    const message = await bootError({ providers: [First, Second] });
    expect(message).toContain('First');
    expect(message).toContain('Second');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '41: are no keys of objects: %s',
    async (name) => {
      const { result } = await run([piece(0, 'c1', name)]);
      expect(result.steps[0].toolResults[0]).toMatchObject({ status: 'error' });
      expect(({} as { x?: unknown }).x).toBeUndefined();
      expect(AgentToolsModule).toBeDefined();
      expect(scripted([]).name).toBe('scripted');
    },
  );
});
