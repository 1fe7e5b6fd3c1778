import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { concatMap, from, map, timer } from 'rxjs';
import { Tool, ToolParam, type AgentEvent, type ChatDelta } from 'nestjs-agent-tools';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { startAgent } from '../loop/support/agent.js';
import { collect, streamingCalls, streamingChunks, streamingDeltas, Turns } from './support.js';
import { encodeEvent, serving, WIRES } from './wire.js';

@Injectable()
class Echo {
  readonly got: string[] = [];

  @Tool('Repeats.')
  f(@ToolParam('a') a: string): string {
    this.got.push(a);
    return a;
  }

  @Tool('The time.')
  now(): string {
    this.got.push('now');
    return 'noon';
  }
}

describe.each(WIRES)('the pieces that %s streams', (provider, { factory, chunks }) => {
  it('7: are all read when an answer has several calls', async () => {
    const calls = ['1', '2', '3'].map((a) => ({ name: 'f', id: `c${a}`, json: [`{"a":"${a}"}`] }));
    const { model } = serving(factory, chunks([], calls), chunks(['done']));
    const { agent, app } = await startAgent([Echo], { model });
    const { text } = await agent.stream('Go.').result;
    expect([text, app.get(Echo).got]).toEqual(['done', ['1', '2', '3']]);
  });

  it('9: run a tool with all of them, though the first ones parse', async () => {
    const json = ['{"a":"1"}', ' ', '\n'];
    const calls = [{ name: 'f', id: 'c1', json }];
    const { model } = serving(factory, chunks([], calls), chunks(['done']));
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['1']);
    // Gemini sends whole arguments.
    if (provider === 'gemini') return;
    const number = serving(factory, chunks([], [{ name: 'f', id: 'c1', json: ['1', '23'] }]));
    expect((await collect(number.model)).content).toMatchObject([{ arguments: '123' }]);
  });

  it('12: bring text before the answer is complete, though there are tools', async () => {
    const events = chunks(['He', 'llo'], [{ name: 'f', id: 'c1', json: ['{"a":"1"}'] }]);
    const encoder = new TextEncoder();
    // The pieces before the second text, after which the server waits until the first was seen.
    const split = events.findIndex((event) => JSON.stringify(event).includes('"llo"'));
    let sendRest = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const event of events.slice(0, split)) {
          controller.enqueue(encoder.encode(encodeEvent(event)));
        }
        sendRest = () => {
          for (const event of events.slice(split)) {
            controller.enqueue(encoder.encode(encodeEvent(event)));
          }
          controller.close();
        };
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const model = factory({
      model: 'gated',
      apiKey: 'test-key',
      retry: { maxRetries: 0 },
      fetch: async () => new Response(body, { headers }),
    });
    const { agent } = await startAgent([Echo], { model: new Turns(model) });
    let text = '';
    for await (const event of agent.stream('Go.')) {
      if (event.type !== 'text-delta') continue;
      text += event.text;
      if (text === 'He') sendRest();
    }
    expect(text).toBe('Hellodone');
  });

  it('13: are a call with a name alone', async () => {
    const { model } = serving(
      factory,
      chunks([], [{ name: 'now', id: 'c1', json: [''] }]),
      chunks(['done']),
    );
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['now']);
  });
});

describe('the pieces of streamed calls, further', () => {
  it.each([
    ['without ids behind the first', { function: { arguments: '"1"}' } }],
    ['with an empty id', { id: '', function: { arguments: '"1"}' } }],
    ['with a null id and a null name', { id: null, function: { name: null, arguments: '"1"}' } }],
  ])('1: belong to the latest call %s', async (_, rest) => {
    const model = new Turns(
      streamingCalls(
        [{ id: 'c0', function: { name: 'f', arguments: '{"a":"0"}' } }],
        [{ id: 'c1', function: { name: 'f', arguments: '{"a":' } }],
        [rest],
      ),
    );
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['0', '1']);
  });

  it('1: are matched by their id, though they come in turns', async () => {
    const response = await collect(
      streamingCalls(
        [
          { id: 'a', function: { name: 'f', arguments: '{"a":' } },
          { id: 'b', function: { name: 'g', arguments: '{"b":' } },
        ],
        [{ id: 'a', function: { arguments: '1}' } }],
        [{ id: 'b', function: { arguments: '2}' } }],
      ),
    );
    expect(response.content).toMatchObject([
      { id: 'a', name: 'f', arguments: '{"a":1}' },
      { id: 'b', name: 'g', arguments: '{"b":2}' },
    ]);
  });

  it('2: of calls that all have index 0 run each tool once', async () => {
    const call = (id: string, a: string) => ({
      index: 0,
      id,
      function: { name: 'f', arguments: `{"a":"${a}"}` },
    });
    const model = new Turns(streamingCalls([call('a', '1'), call('b', '2')]));
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['1', '2']);
  });

  it('2: begin another call with a new id, also while it has no arguments', async () => {
    const head = (id: string) => ({ index: 0, id, function: { name: 'f', arguments: '' } });
    const rest = (json: string) => ({ index: 0, function: { arguments: json } });
    const model = new Turns(
      streamingCalls([head('a')], [rest('{"a":"1"}')], [head('b')], [rest('{"a":"2"}')]),
    );
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['1', '2']);
  });

  it('4: are not shown as a call before the name is known', async () => {
    const model = new Turns(
      streamingCalls(
        [{ index: 0, id: 'x', function: { arguments: '' } }],
        [{ index: 0, function: { arguments: '{"a":"1"' } }],
        [{ index: 0, function: { name: 'f', arguments: '}' } }],
      ),
    );
    const { agent } = await startAgent([Echo], { model });
    const events: AgentEvent[] = [];
    for await (const event of agent.stream('Go.')) events.push(event);
    const calls = events.filter(({ type }) => type === 'tool-call');
    expect(calls).toMatchObject([{ callId: 'x', name: 'f', arguments: '{"a":"1"}' }]);
  });

  it('6: that say nothing run nothing and get no result', async () => {
    const model = new Turns(
      streamingCalls(
        [{ index: 0, id: 'a', function: { name: 'now', arguments: '{}' } }],
        [{ index: 1, id: '', type: 'function', function: { arguments: null } }],
        [{ index: 2, id: null, function: { name: '', arguments: '' } }],
      ),
    );
    const { agent } = await startAgent([Echo], { model });
    const { steps } = await agent.stream('Go.').result;
    expect(steps[0].toolResults).toMatchObject([{ callId: 'a', status: 'success' }]);
  });

  it('10: may lack the type in a whole answer, too', async () => {
    const tool_calls = [{ id: 'a', function: { name: 'f', arguments: '{}' } }];
    const choices = [{ message: { role: '', content: null, tool_calls }, finish_reason: 'stop' }];
    const model = openai({
      model: 'm',
      apiKey: 'test-key',
      fetch: async () => Response.json({ choices }),
    });
    expect((await model.generate({ messages: [] }, {})).content).toMatchObject([
      { type: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
    ]);
  });

  it('11: leave text a final answer when their list is empty', async () => {
    const model = streamingChunks(
      { choices: [{ delta: { content: 'Hi', tool_calls: [] } }] },
      { choices: [{ delta: { tool_calls: [] }, finish_reason: 'stop' }] },
    );
    const { agent } = await startAgent([Echo], { model });
    const { text, steps } = await agent.stream('Go.').result;
    expect([text, steps]).toMatchObject(['Hi', [{ toolResults: [] }]]);
  });

  it('11: may be null', async () => {
    const deltas: ChatDelta[] = [];
    const model = streamingDeltas({ content: 'Hi', tool_calls: null });
    for await (const delta of model.stream({ messages: [] }, {})) deltas.push(delta);
    expect(deltas[0]).toEqual({ type: 'text', text: 'Hi' });
  });

  it('13: of Gemini take their signature to the next step', async () => {
    const part = { functionCall: { name: 'now' }, thoughtSignature: 'c2ln' };
    const { model, bodies } = serving(
      gemini,
      [{ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }],
      [{ candidates: [{ content: { parts: [{ text: 'done' }] }, finishReason: 'STOP' }] }],
    );
    const { agent } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    const { contents } = bodies[1] as { contents: { parts: object[] }[] };
    expect(contents[1].parts).toMatchObject([
      { functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2ln' },
    ]);
  });

  it('15: wait for a consumer that is slower than the model', async () => {
    const model = streamingChunks(
      ...Array.from({ length: 1_000 }, (_, index) => ({
        choices: [{ delta: { content: `${index} ` } }],
      })),
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    );
    const { agent } = await startAgent([], { model });
    const received: string[] = [];
    await from(agent.stream('Go.').toObservable())
      .pipe(concatMap((event) => timer(1).pipe(map(() => event))))
      .forEach((event) => {
        if (event.type === 'text-delta') received.push(event.text);
      });
    expect(received.join('')).toBe(Array.from({ length: 1_000 }, (_, i) => `${i} `).join(''));
    expect(received).toHaveLength(1_000);
  });
});
