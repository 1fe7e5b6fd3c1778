import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import OpenAI from 'openai';
import { ChatStreamAssembler, Tool, ToolParam, type ChatRequest } from 'nestjs-agent-tools';
import { startAgent } from '../loop/support/agent.js';
import {
  collect,
  failure,
  sendJson,
  startEvents,
  startServer,
  type TestServer,
} from '../models/test-server.js';
import {
  callItem,
  eventsOf,
  messageItem,
  reasoningItem,
  responseOf,
  toSse,
  type Json,
} from './responses-events.js';
import { openaiResponses, type OpenAIResponsesOptions } from './responses.exports.js';

const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const VARIABLES = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'AZURE_OPENAI_API_KEY'];
const saved = new Map<string, string | undefined>();

beforeEach(() => {
  for (const name of VARIABLES) {
    saved.set(name, process.env[name]);
    delete process.env[name];
  }
});

afterEach(() => {
  for (const [name, value] of saved) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** A server that gives these answers one after another, as a stream if it is asked to. */
function serve(...answers: readonly Json[]): Promise<TestServer> {
  const server: Promise<TestServer> = startServer(async (response, attempt) => {
    const answer = answers[Math.min(attempt, answers.length) - 1];
    const { requests } = await server;
    if (!requests[attempt - 1]?.body.stream) return sendJson(response, 200, answer);
    startEvents(response);
    response.end(toSse(eventsOf(answer)));
  });
  return server;
}

/** Where a request went, and with which headers. */
async function sent(options: Partial<OpenAIResponsesOptions>): Promise<[string, Headers]> {
  const seen: [string, Headers][] = [];
  const model = openaiResponses({
    model: 'm',
    fetch: async (url, init) => {
      seen.push([String(url), new Headers(init?.headers)]);
      return Response.json(responseOf([messageItem('m', 'ok')]));
    },
    ...options,
  });
  await model.generate(REQUEST, {});
  return seen[0];
}

describe('openaiResponses', () => {
  it('asks OpenAI with the key of the environment', async () => {
    process.env.OPENAI_API_KEY = 'sk-env';
    const [url, headers] = await sent({});
    expect(url).toBe('https://api.openai.com/v1/responses');
    expect(headers.get('authorization')).toBe('Bearer sk-env');
    process.env.OPENAI_BASE_URL = 'https://proxy.example/v1/';
    expect((await sent({}))[0]).toBe('https://proxy.example/v1/responses');
  });

  it('asks Azure with a header of its own', async () => {
    process.env.OPENAI_API_KEY = 'sk-openai';
    process.env.AZURE_OPENAI_API_KEY = 'azure-key';
    const baseURL = 'https://shop.openai.azure.com/openai/v1?api-version=preview';
    const [url, headers] = await sent({ baseURL });
    expect(url).toBe('https://shop.openai.azure.com/openai/v1/responses?api-version=preview');
    expect(headers.get('api-key')).toBe('azure-key');
    expect(headers.get('authorization')).toBeNull();
  });

  it('says how to give a key', async () => {
    const model = openaiResponses({ model: 'gpt-5' });
    const error = await failure(model.generate(REQUEST, {}));
    expect(error.message).toMatch(
      /^openai:gpt-5 has no API key\..* set OPENAI_API_KEY in the environment, or give `apiKey` to openaiResponses\(/i,
    );
  });

  it.each([
    [{ stop: ['x'] }, /`stop`: the Responses API has no such option; `openai\(\)`/],
    [{ seed: 1 }, /`seed`: the Responses API has no such option\./],
    [{ reasoningBudget: 5 }, /`reasoningBudget`: .*use `reasoningEffort`\./],
    [{ profile: 'openrouter', reasoningBudget: 5 }, /`reasoningBudget`/],
    [{ profile: 'deepseek', parallelToolCalls: true }, /`parallelToolCalls`/],
    [{ profile: 'mistral' }, /Use openai\(/],
    [{ profile: 'deepseek', store: true }, /keep no answers/],
    [{ baseURL: 'https://api.z.ai/api/paas/v4' }, /"zai" is not known to have the Responses API/],
  ])('refuses %j when it is made', (options, message) => {
    expect(() => openaiResponses({ model: 'm', ...options } as OpenAIResponsesOptions)).toThrow(
      message,
    );
  });

  it('refuses the same in a request', async () => {
    const model = openaiResponses({ model: 'm', apiKey: 'k' });
    const error = await failure(model.generate({ ...REQUEST, settings: { seed: 1 } }, {}));
    expect(error.message).toContain('`seed`');
  });

  it('repeats a request that the server could not answer', async () => {
    const server = await startServer((response, attempt) =>
      attempt === 1
        ? sendJson(response, 503, { error: { message: 'Later.' } })
        : sendJson(response, 200, responseOf([messageItem('m', 'Hello.')])),
    );
    const model = openaiResponses({ model: 'm', baseURL: server.url, retry: { delay: 0 } });
    expect(await model.generate(REQUEST, {})).toMatchObject({ content: [{ text: 'Hello.' }] });
    expect(server.requests).toHaveLength(2);
  });
});

const calls: string[] = [];

@Injectable()
class Orders {
  @Tool('Finds an order.')
  find(@ToolParam('no') no: number) {
    calls.push(`find ${no}`);
    return { no, state: 'sent' };
  }

  @Tool('Gives the time.')
  now() {
    calls.push('now');
    return 'noon';
  }
}

describe.each(['run', 'stream'] as const)('a run of an agent (%s)', (way) => {
  it('keeps the reasoning between the calls of a turn, and sends all in order', async () => {
    calls.length = 0;
    const server = await serve(
      responseOf([
        reasoningItem('rs_1', 'I need two things.'),
        callItem('fc_1', 'call_1', 'find', '{"no":7}'),
        messageItem('msg_1', 'One moment.', { phase: 'commentary' }),
        reasoningItem('rs_2'),
        callItem('fc_2', 'call_2', 'now', '{}'),
      ]),
      responseOf([reasoningItem('rs_3'), messageItem('msg_2', 'It was sent at noon.')]),
    );
    const model = openaiResponses({ model: 'gpt-5', baseURL: server.url, apiKey: 'k' });
    const { agent } = await startAgent([Orders], { model });
    const { text, usage, messages } = await (way === 'run'
      ? agent.run('Where is order 7?')
      : agent.stream('Where is order 7?').result);

    expect(text).toBe('It was sent at noon.');
    expect(calls).toEqual(['find 7', 'now']);
    expect(usage).toMatchObject({ totalTokens: 34, reasoningTokens: 6 });
    expect(server.requests.map(({ url }) => url)).toEqual(['/responses', '/responses']);
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [
        { type: 'function', name: 'find', strict: false },
        { type: 'function', name: 'now', strict: false },
      ],
    });
    const question = { role: 'user', content: 'Where is order 7?' } as const;
    expect(first.input).toEqual([question]);
    const turn = [
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'I need two things.' }],
        encrypted_content: 'secret of rs_1',
      },
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{"no":7}' },
      { role: 'assistant', phase: 'commentary', content: 'One moment.' },
      { type: 'reasoning', summary: [], encrypted_content: 'secret of rs_2' },
      { type: 'function_call', call_id: 'call_2', name: 'now', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: '{"no":7,"state":"sent"}' },
      { type: 'function_call_output', call_id: 'call_2', output: 'noon' },
    ];
    expect(second.input).toEqual([question, ...turn]);

    // A conversation that was stored as JSON goes on with all of it.
    const history = JSON.parse(JSON.stringify(messages)) as typeof messages;
    await agent.run([question, ...history, { role: 'user', content: 'Thanks.' }]);
    expect(server.requests[2]?.body.input).toEqual([
      question,
      ...turn,
      { type: 'reasoning', summary: [], encrypted_content: 'secret of rs_3' },
      { role: 'assistant', content: 'It was sent at noon.' },
      { role: 'user', content: 'Thanks.' },
    ]);
  });
});

describe("OpenAI's own client", () => {
  const clientOf = (server: TestServer): OpenAI =>
    new OpenAI({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
  const ANSWERS: [string, Json][] = [
    ['a text', responseOf([messageItem('msg_1', 'Hello there.')])],
    [
      'calls',
      responseOf([reasoningItem('rs_1', 'Hm.'), callItem('fc_1', 'c1', 'find', '{"no":7}')]),
    ],
    [
      'a refusal',
      responseOf([messageItem('m', '', { content: [{ type: 'refusal', refusal: 'I cannot.' }] })]),
    ],
    [
      'a cut text',
      responseOf([messageItem('m', 'Hel')], {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      }),
    ],
  ];

  it.each(ANSWERS)('reads the same from %s of the servers of these tests', async (_, answer) => {
    const server = await serve(answer);
    const body = { model: 'gpt-5', input: 'Hi' };
    const theirs = await clientOf(server).responses.create(body);
    const events = await clientOf(server).responses.create({ ...body, stream: true });
    let streamedText = '';
    let last: OpenAI.Responses.Response | undefined;
    for await (const event of events) {
      if (event.type === 'response.output_text.delta') streamedText += event.delta;
      if (event.type === 'response.completed' || event.type === 'response.incomplete')
        last = event.response;
    }
    const model = openaiResponses({ model: 'gpt-5', baseURL: server.url });
    const assembler = new ChatStreamAssembler();
    for await (const delta of model.stream(REQUEST, {})) assembler.push(delta);
    const ours = assembler.finish();

    expect(ours).toEqual(await model.generate(REQUEST, {}));
    expect(last?.output).toEqual(theirs.output);
    const refusals = theirs.output.flatMap((item) =>
      item.type === 'message'
        ? item.content.map((part) => (part.type === 'refusal' ? part.refusal : ''))
        : [],
    );
    const text = ours.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).toBe(theirs.output_text + refusals.join(''));
    expect(streamedText).toBe(theirs.output_text);
    expect(
      ours.content.flatMap((part) =>
        part.type === 'tool-call' ? [[part.id, part.name, part.arguments]] : [],
      ),
    ).toEqual(
      theirs.output.flatMap((item) =>
        item.type === 'function_call' ? [[item.call_id, item.name, item.arguments]] : [],
      ),
    );
    expect(ours.usage?.totalTokens).toBe(theirs.usage?.total_tokens);
  });

  it('is told of the same errors', async () => {
    const error = { code: 'server_error', message: 'The model broke.' };
    const server = await startServer((response) => {
      startEvents(response);
      response.end(toSse([{ type: 'error', ...error, param: null }]));
    });
    const body = { model: 'm', input: 'Hi', stream: true } as const;
    const theirs = await collect(await clientOf(server).responses.create(body));
    expect(theirs).toEqual([expect.objectContaining({ type: 'error', ...error })]);
    const model = openaiResponses({ model: 'm', baseURL: server.url, retry: { maxRetries: 0 } });
    const ours = await failure(collect(model.stream(REQUEST, {})));
    expect(ours.message).toContain('The model broke.');
  });
});
