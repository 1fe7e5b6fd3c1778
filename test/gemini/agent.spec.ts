import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  AgentRunException,
  AgentService,
  Tool,
  ToolInput,
  type ChatMessage,
} from 'nestjs-agent-tools';
import { gemini } from 'nestjs-agent-tools/gemini';
import { z } from 'zod';
import { sendJson, startEvents, startServer } from '../models/test-server.js';
import { createApp } from '../support/app.js';

enum Floor {
  Ground = 0,
  First = 1,
}

const received: unknown[] = [];

@Injectable()
class HouseTools {
  @Tool({
    description: 'Turns the light of a floor on.',
    inputSchema: z.object({ floor: z.enum(Floor), room: z.string() }),
  })
  light(@ToolInput() input: { floor: Floor; room: string }) {
    received.push(input);
    return { on: true };
  }
}

const MODEL = 'gemini-3-flash-preview';
const answer = (...parts: unknown[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
});
const CALLS = [
  {
    functionCall: { id: 'x1', name: 'light', args: { floor: 1, room: 'Hall' } },
    thoughtSignature: 'sig-1',
  },
  { functionCall: { id: 'x2', name: 'light', args: { floor: '0', room: 'Loft' } } },
];

afterEach(() => {
  received.length = 0;
  jest.restoreAllMocks();
});

async function start(...answers: object[]) {
  const server = await startServer((response, attempt) => {
    const next = answers[attempt - 1] ?? answer({ text: 'Nothing more.' });
    if (!server.requests[attempt - 1]?.url.includes('alt=sse')) {
      return sendJson(response, 200, next);
    }
    startEvents(response);
    response.end(`data: ${JSON.stringify(next)}\r\n\r\n`);
    return undefined;
  });
  const model = gemini({ model: MODEL, baseURL: server.url });
  const app = await createApp({ providers: [HouseTools] }, { model });
  return { server, app, agent: app.get(AgentService) };
}

describe('an agent with Gemini', () => {
  it.each(['run', 'stream'] as const)('calls tools and sends signatures back (%s)', async (way) => {
    const { server, app, agent } = await start(
      answer({ text: 'Let me.' }, ...CALLS),
      answer({ text: 'Done.', thoughtSignature: 'sig-2' }),
    );
    const result =
      way === 'run'
        ? await agent.run('Light, please.')
        : await agent.stream('Light, please.').result;
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' });
    // Numbers of an enum stay numbers, also if the model writes them as texts.
    expect(received).toEqual([
      { floor: 1, room: 'Hall' },
      { floor: 0, room: 'Loft' },
    ]);
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first?.tools).toMatchObject([
      {
        functionDeclarations: [
          { parametersJsonSchema: { properties: { floor: { type: 'number', enum: [0, 1] } } } },
        ],
      },
    ]);
    const response = { output: '{"on":true}' };
    expect(second?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Light, please.' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me.' },
          CALLS[0],
          // The server sees what the model wrote.
          CALLS[1],
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'x1', name: 'light', response } },
          { functionResponse: { id: 'x2', name: 'light', response } },
        ],
      },
    ]);
    await app.close();
  });

  it('goes on with a conversation that was stored', async () => {
    const { server, app, agent } = await start(
      answer(...CALLS.slice(0, 1)),
      answer({ text: 'Done.', thoughtSignature: 'sig-2' }),
      answer({ text: 'Bye.' }),
    );
    const { messages } = await agent.run('Light, please.');
    const history = [{ role: 'user', content: 'Light, please.' }, ...messages];
    const stored = JSON.parse(JSON.stringify(history)) as ChatMessage[];
    await agent.run([...stored, { role: 'user', content: 'Thanks.' }]);
    expect(server.requests[2]?.body.contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [CALLS[0]] },
      { role: 'user', parts: [{ functionResponse: { id: 'x1' } }] },
      { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'sig-2' }] },
      { role: 'user', parts: [{ text: 'Thanks.' }] },
    ]);
    await app.close();
  });

  it('warns once that it must leave signatures out, of another model or lost', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const unsigned = { functionCall: CALLS[1]?.functionCall };
    const { server, app, agent } = await start(answer(unsigned), answer(unsigned));
    await agent.run('Light, please.');
    const sent = JSON.stringify(server.requests[2]?.body);
    expect(sent.split('"thoughtSignature":"skip_thought_signature_validator"')).toHaveLength(3);
    expect(
      warn.mock.calls.filter(([text]) => String(text).includes('without thought signatures')),
    ).toHaveLength(1);
    await app.close();
  });

  it('ends with a typed error if the model fails', async () => {
    const { app, agent } = await start({
      candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'light(floor=' }],
    });
    const error = await agent.run('Light, please.').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AgentRunException);
    expect(error).toMatchObject({
      cause: { name: 'ChatModelException', code: 'MALFORMED_FUNCTION_CALL' },
    });
    await app.close();
  });

  it('says that the prompt was blocked', async () => {
    const { app, agent } = await start({ promptFeedback: { blockReason: 'SAFETY' } });
    expect(await agent.run('…')).toMatchObject({ finishReason: 'content-filter', text: '' });
    await app.close();
  });
});
