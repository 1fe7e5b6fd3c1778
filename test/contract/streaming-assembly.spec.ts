import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { firstValueFrom, toArray } from 'rxjs';
import { Tool, ToolParam, type ChatDelta } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { fromChunks } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';
import {
  callsOf,
  collect,
  readCalls,
  streamingCalls,
  streamingChunks,
  streamingDeltas,
  textOf,
  Turns,
} from './support.js';

const begin = (index: number | undefined, id: string, name: string, json = '') => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: json },
});

@Injectable()
class Echo {
  readonly got: string[] = [];

  @Tool('Repeats.')
  f(@ToolParam('a') a: string): string {
    this.got.push(a);
    return a;
  }
}

describe('the pieces of streamed calls', () => {
  it('1: are matched without an index', async () => {
    const model = streamingCalls(
      [{ id: 'c1', function: { name: 'f', arguments: '{"a":' } }],
      [{ function: { arguments: '1}' } }],
    );
    expect(await readCalls(model)).toEqual([['f', '{"a":1}']]);
  });

  it('2: begin another call with a new id, on an index that is in use', async () => {
    const model = streamingCalls(
      [begin(0, 'a', 'f', '{"p":"a"}')],
      [begin(0, 'b', 'f', '{"p":"b"}')],
    );
    expect(await readCalls(model)).toEqual([
      ['f', '{"p":"a"}'],
      ['f', '{"p":"b"}'],
    ]);
  });

  it('4: may bring the name late', async () => {
    const model = streamingCalls(
      [{ index: 0, id: 'x', function: { arguments: '' } }],
      [{ index: 0, function: { arguments: '{"a":' } }],
      [{ index: 0, function: { name: 'f', arguments: '1}' } }],
    );
    expect(await readCalls(model)).toEqual([['f', '{"a":1}']]);
  });

  it('5: may begin without a function', async () => {
    const model = streamingCalls(
      [{ index: 0, id: 'call_x', type: 'function' }],
      [{ index: 0, function: { name: 'f', arguments: '{}' } }],
    );
    expect(await readCalls(model)).toEqual([['f', '{}']]);
  });

  it('6: that say nothing are no call', async () => {
    const model = streamingCalls(
      [begin(0, 'a', 'f', '{}')],
      [{ index: 1, id: '', type: 'function', function: { arguments: null } }],
    );
    expect(await readCalls(model)).toEqual([['f', '{}']]);
  });

  it('7: are all read when several come in one chunk', async () => {
    const model = streamingCalls([begin(0, 'a', 'f', '{}'), begin(1, 'b', 'g', '{}')]);
    expect(await readCalls(model)).toEqual([
      ['f', '{}'],
      ['g', '{}'],
    ]);
  });

  it.each([
    ['"1', '23"'],
    ['{"a":1}', ' '],
    ['{"a":"x"}', '\n'],
  ])('9: are not complete because they parse: %s and %s', async (first, second) => {
    const seen: ChatDelta[] = [];
    const model = streamingCalls(
      [begin(0, 'a', 'f', first)],
      [{ index: 0, function: { arguments: second } }],
    );
    for await (const delta of model.stream({ messages: [] }, {})) seen.push(delta);
    const pieces = seen.filter(({ type }) => type === 'tool-call');
    expect(pieces).toHaveLength(2);
    expect(
      await readCalls(
        streamingCalls(
          [begin(0, 'a', 'f', first)],
          [{ index: 0, function: { arguments: second } }],
        ),
      ),
    ).toEqual([['f', first + second]]);
  });

  it('9: run a tool with the whole, not with a prefix that parses', async () => {
    const model = new Turns(
      streamingCalls([begin(0, 'a', 'f', '{"a":"1"}')], [begin(0, 'a', '', '')]),
      streamingCalls(
        [begin(0, 'b', 'f', '{"a":"12')],
        [{ index: 0, function: { arguments: '3"}' } }],
      ),
    );
    const { agent, app } = await startAgent([Echo], { model });
    await agent.stream('Go.').result;
    expect(app.get(Echo).got).toEqual(['1', '123']);
  });

  it('10: may lack the type, and the role may be empty', async () => {
    const model = streamingDeltas({
      role: '',
      tool_calls: [{ index: 0, id: 'a', type: null, function: { name: 'f', arguments: '{}' } }],
    });
    expect(await readCalls(model)).toEqual([['f', '{}']]);
  });

  it('11: are not begun by an empty list', async () => {
    const model = streamingDeltas(
      { content: 'Hi', tool_calls: [] },
      { content: ' there', tool_calls: [] },
    );
    const deltas: ChatDelta[] = [];
    for await (const delta of model.stream({ messages: [] }, {})) deltas.push(delta);
    expect(deltas.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'text', text: ' there' },
    ]);
  });

  it('12: do not hold text back', async () => {
    const seen: string[] = [];
    const model = new Turns(
      streamingDeltas(
        { content: 'He' },
        { content: 'llo' },
        { tool_calls: [begin(0, 'a', 'f', '{"a":"1"}')] },
      ),
    );
    const { agent } = await startAgent([Echo], { model });
    for await (const event of agent.stream('Go.')) seen.push(event.type);
    expect(seen.slice(0, 5)).toEqual([
      'run-started',
      'step-started',
      'text-delta',
      'text-delta',
      'tool-call',
    ]);
  });

  it('13: are a call with a name alone, and keep their signature', async () => {
    const part = { functionCall: { name: 'now' }, thoughtSignature: 'c2ln' };
    const chunk = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] };
    const response = await collect(fromChunks(gemini, [chunk]));
    expect(callsOf(response)).toEqual([
      expect.objectContaining({
        name: 'now',
        arguments: '{}',
        providerMetadata: { gemini: { thoughtSignature: 'c2ln' } },
      }),
    ]);
    const start = { type: 'tool_use', id: 't', name: 'now', input: {} };
    const model = fromChunks(anthropic, [
      { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]);
    expect(await readCalls(model)).toEqual([['now', '{}']]);
  });

  it('14: may be missing from a chunk, which may still have the usage', async () => {
    const response = await collect(
      streamingChunks(
        { choices: null },
        { choices: [] },
        { choices: [{ delta: null }] },
        { choices: [{ delta: { content: 'intact' } }] },
        { choices: [{ delta: {}, finish_reason: 'stop' }] },
        { choices: null, usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      ),
    );
    expect(textOf(response)).toBe('intact');
    expect(response.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });

  it('15: all reach a slow consumer of an Observable', async () => {
    const pieces = Array.from({ length: 1_000 }, (_, index) => ({ content: `${index} ` }));
    const model = streamingChunks(...pieces.map((delta) => ({ choices: [{ delta }] })), {
      choices: [{ delta: {}, finish_reason: 'stop' }],
    });
    const { agent } = await startAgent([], { model });
    const received: string[] = [];
    await agent
      .stream('Go.')
      .toObservable()
      .forEach((event) => {
        if (event.type === 'text-delta') received.push(event.text);
      });
    expect(received).toEqual(pieces.map(({ content }) => content));
    const sent = await firstValueFrom(
      (
        await startAgent([], {
          model: streamingChunks({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] }),
        })
      ).agent
        .stream('Go.')
        .toSse()
        .pipe(toArray()),
    );
    expect(sent.map(({ type }) => type)).toContain('text-delta');
  });
});
