import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  ChatStreamAssembler,
  Tool,
  ToolParam,
  ToolResult,
  type ChatDelta,
  type ChatResponse,
  type ChatTool,
} from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { startAgent } from '../loop/support/agent.js';
import { collect, failure, pause, startEvents, startServer } from '../models/test-server.js';
import {
  chatOpenAI,
  FOUND_USAGE,
  sendChunk,
  sendCompletion,
  streamCompletion,
} from './support/chat-completions.js';

const ASK = { messages: [{ role: 'user', content: 'Where is A-1?' }] } as const;
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const FIND: ChatTool = {
  name: 'find',
  description: 'Finds an order.',
  inputSchema: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] },
};

@Injectable()
class OrderTools {
  readonly asked: string[] = [];

  @Tool('Finds an order.')
  find(@ToolParam('no') no: string) {
    this.asked.push(no);
    return `${no} is on its way`;
  }

  @Tool('Shows a parcel.')
  photo() {
    return new ToolResult([
      { type: 'text', text: 'the parcel' },
      { type: 'image', url: PNG },
    ]);
  }
}

function assemble(deltas: readonly ChatDelta[]): ChatResponse {
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}

describe('a whole answer of ChatOpenAI', () => {
  it('has the text, why it ended, and the usage', async () => {
    const { url } = await startServer((response) => sendCompletion(response, { content: 'Here.' }));
    const answer = await fromLangChain(chatOpenAI(url)).generate(ASK, {});
    expect(answer).toEqual({
      content: [{ type: 'text', text: 'Here.' }],
      finishReason: 'stop',
      usage: FOUND_USAGE,
    });
  });

  it('keeps the text of arguments as the model wrote it, and the order of the calls', async () => {
    const calls = [
      ['a', '{"no": "A-'],
      ['b', '{"no": 12345678901234567890}'],
      ['c', '["x"]'],
    ].map(([id, json]) => ({ id, type: 'function', function: { name: 'find', arguments: json } }));
    const { url } = await startServer((response) =>
      sendCompletion(response, { tool_calls: calls }, 'tool_calls'),
    );
    const { content, finishReason } = await fromLangChain(chatOpenAI(url)).generate(
      { ...ASK, tools: [FIND] },
      {},
    );
    expect(finishReason).toBe('tool-calls');
    expect(content.map((part) => part.type === 'tool-call' && [part.id, part.arguments])).toEqual([
      ['a', '{"no": "A-'],
      ['b', '{"no": 12345678901234567890}'],
      ['c', '["x"]'],
    ]);
  });

  it('has the reasoning beside the text', async () => {
    const { url } = await startServer((response) =>
      sendCompletion(response, { content: 'Yes.', reasoning_content: 'Well …' }),
    );
    const { content } = await fromLangChain(chatOpenAI(url)).generate(ASK, {});
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Well …' },
      { type: 'text', text: 'Yes.' },
    ]);
  });
});

describe('a streamed answer of ChatOpenAI', () => {
  it('comes in pieces and is the same as the whole one', async () => {
    const call = { name: 'find', arguments: '{"no":"A-1"}' };
    const { url, requests } = await startServer((response, attempt) => {
      if (attempt === 2) {
        const tool_calls = [{ id: 'a', type: 'function', function: call }];
        sendCompletion(
          response,
          { content: 'Hello', reasoning_content: 'Well', tool_calls },
          'tool_calls',
        );
        return;
      }
      streamCompletion(
        response,
        [
          { reasoning_content: 'We' },
          { reasoning_content: 'll' },
          { content: 'Hel' },
          { content: 'lo' },
          { tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: '{"no"' } }] },
          { tool_calls: [{ index: 0, function: { arguments: ':"A-1"}' } }] },
        ],
        'tool_calls',
      );
    });
    const model = fromLangChain(chatOpenAI(url));
    const request = { ...ASK, tools: [FIND] };
    const deltas = await collect(model.stream(request, {}));
    expect(deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : []))).toEqual([
      'Hel',
      'lo',
    ]);
    const streamed = assemble(deltas);
    expect(streamed.usage).toEqual(FOUND_USAGE);
    expect(streamed.finishReason).toBe('tool-calls');
    expect(streamed).toEqual(await model.generate(request, {}));
    expect(requests.map(({ body }) => body.stream)).toEqual([true, false]);
  });

  it('is cut off if it ends without a reason', async () => {
    const { url } = await startServer((response) =>
      streamCompletion(response, [{ content: 'Half an ans' }], null),
    );
    const deltas = await collect(fromLangChain(chatOpenAI(url)).stream(ASK, {}));
    expect(deltas.some(({ type }) => type === 'text')).toBe(true);
    expect(() => assemble(deltas)).toThrow('cut off');
  });

  it('closes the connection when it is left early', async () => {
    const { url, requests } = await startServer((response) => {
      startEvents(response);
      sendChunk(response, { role: 'assistant', content: 'One' });
    });
    for await (const delta of fromLangChain(chatOpenAI(url)).stream(ASK, {})) {
      if (delta.type === 'text') break;
    }
    expect(requests).toHaveLength(1);
    await requests[0]?.closed;
  });

  it('closes the connection and throws the reason when the signal aborts', async () => {
    const { url, requests } = await startServer((response) => {
      startEvents(response);
      sendChunk(response, { role: 'assistant', content: 'One' });
    });
    const controller = new AbortController();
    const reason = new Error('enough');
    const stream = fromLangChain(chatOpenAI(url)).stream(ASK, { signal: controller.signal });
    const error = await failure(
      (async () => {
        for await (const delta of stream) if (delta.type === 'text') controller.abort(reason);
      })(),
    );
    expect(error).toBe(reason);
    expect(requests).toHaveLength(1);
    await requests[0]?.closed;
  });

  it('ends a whole answer, too, when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { url, requests } = await startServer(() => controller.abort(reason));
    const model = fromLangChain(chatOpenAI(url));
    expect(await failure(model.generate(ASK, { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
    await requests[0]?.closed;
  });
});

describe('a run with ChatOpenAI', () => {
  it.each(['run', 'stream'] as const)('calls the tool and sends its result (%s)', async (way) => {
    const { url, requests } = await startServer((response, attempt) => {
      const tool_calls = [
        {
          index: 0,
          id: 'call_1',
          type: 'function',
          function: { name: 'find', arguments: '{"no":"A-1"}' },
        },
      ];
      const answer = attempt === 1 ? { content: 'Let me see.', tool_calls } : { content: 'Done.' };
      const reason = attempt === 1 ? 'tool_calls' : 'stop';
      if (way === 'run') sendCompletion(response, answer, reason);
      else streamCompletion(response, [answer], reason);
    });
    const { agent, app } = await startAgent([OrderTools], {
      model: fromLangChain(chatOpenAI(url)),
      instructions: 'Be kind.',
    });
    const result = way === 'run' ? await agent.run('A-1?') : await agent.stream('A-1?').result;
    expect(result.text).toBe('Done.');
    expect(app.get(OrderTools).asked).toEqual(['A-1']);
    expect(result.usage).toMatchObject({ inputTokens: 22, outputTokens: 14 });
    expect(requests[0]?.body.tools).toMatchObject([
      { type: 'function', function: { name: 'find', parameters: { type: 'object' } } },
      { type: 'function', function: { name: 'photo' } },
    ]);
    expect(requests[1]?.body.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'A-1?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"no":"A-1"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'find', content: 'A-1 is on its way' },
    ]);
  });

  it('sends images of the user and of tools', async () => {
    const { url, requests } = await startServer((response, attempt) => {
      const tool_calls = [
        { id: 'c', type: 'function', function: { name: 'photo', arguments: '{}' } },
      ];
      sendCompletion(response, attempt === 1 ? { tool_calls } : { content: 'Nice.' });
    });
    const { agent } = await startAgent([OrderTools], { model: fromLangChain(chatOpenAI(url)) });
    await agent.run([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', url: 'https://x.y/a.png' },
        ],
      },
    ]);
    expect(requests[1]?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://x.y/a.png' } },
        ],
      },
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'c', name: 'photo', content: 'the parcel' },
      {
        role: 'user',
        content: [
          { type: 'text', text: expect.stringContaining('photo') },
          { type: 'image_url', image_url: { url: PNG } },
        ],
      },
    ]);
  });

  it('goes on when a stream is silent for longer than LangChain takes to notice', async () => {
    const { url } = await startServer(async (response) => {
      startEvents(response);
      sendChunk(response, { role: 'assistant', content: 'One' });
      await pause(20);
      sendChunk(response, { content: ' two' }, 'stop');
      response.end('data: [DONE]\n\n');
    });
    const { agent } = await startAgent([], { model: fromLangChain(chatOpenAI(url)) });
    expect((await agent.stream('Count.').result).text).toBe('One two');
  });
});
