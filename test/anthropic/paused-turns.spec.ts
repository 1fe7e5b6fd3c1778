import { describe, expect, it } from '@jest/globals';
import { collect, failure } from '../models/test-server.js';
import { read, replay, REQUEST } from './support/replay.js';
import { events, message, toSse } from './support/streams.js';

const SEARCH = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'x' },
};
const FOUND = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
const FIRST = [{ type: 'text', text: 'I search.' }, SEARCH];
const SECOND = [FOUND, { type: 'text', text: 'It is so.' }];
const PAUSED = { stop_reason: 'pause_turn' };
const OPTIONS = { serverTools: [{ type: 'web_search_20250305', name: 'web_search' }] };
const bodies = [message(FIRST, PAUSED), message(SECOND)];
const streams = [toSse(events(FIRST, PAUSED)), toSse(events(SECOND))];

describe('a turn that Anthropic pauses', () => {
  it.each([
    ['whole', bodies],
    ['streamed', streams],
  ])('goes on by itself (%s)', async (how, list) => {
    const { model, sent } = replay(list, OPTIONS);
    const response = await (how === 'whole' ? model.generate(REQUEST, {}) : read(model));
    expect(response.finishReason).toBe('stop');
    expect(response.content).toEqual([
      { type: 'text', text: 'I search.' },
      { type: 'reasoning', text: '', providerMetadata: { anthropic: { block: SEARCH } } },
      { type: 'reasoning', text: '', providerMetadata: { anthropic: { block: FOUND } } },
      { type: 'text', text: 'It is so.' },
    ]);
    expect(response.usage).toEqual({ inputTokens: 20, outputTokens: 10, totalTokens: 30 });
    const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
    expect(sent.map(({ messages }) => messages)).toEqual([
      [user],
      [user, { role: 'assistant', content: FIRST }],
    ]);
  });

  it('has one finish, and its usage grows', async () => {
    const deltas = await collect(replay(streams, OPTIONS).model.stream(REQUEST, {}));
    expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1);
    const totals = deltas.flatMap((delta) =>
      delta.type === 'usage' ? [delta.usage.totalTokens] : [],
    );
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(totals.at(-1)).toBe(30);
  });

  it('keeps the blocks of its pieces apart, though each counts from 0', async () => {
    const pieces = [toSse(events([SEARCH], PAUSED)), toSse(events(SECOND))];
    const { content } = await read(replay(pieces, OPTIONS).model);
    expect(content.map(({ providerMetadata }) => providerMetadata?.anthropic?.block)).toEqual([
      SEARCH,
      FOUND,
      undefined,
    ]);
  });

  it('is not asked for more without end', async () => {
    const { model, sent } = replay(
      Array.from({ length: 20 }, () => bodies[0] ?? ''),
      OPTIONS,
    );
    expect((await model.generate(REQUEST, {})).finishReason).toBe('other');
    expect(sent).toHaveLength(10);
  });

  it('fails if its second piece is cut off', async () => {
    const cut = streams[1]?.slice(0, -300) ?? '';
    const error = await failure(read(replay([streams[0] ?? '', cut], OPTIONS).model));
    expect(error.message).toContain('cut off');
  });

  it('is void as a whole if a piece begins anew', async () => {
    const broken = streams[1]?.slice(0, streams[1].indexOf('event: message_delta')) ?? '';
    const { model } = replay([streams[0] ?? '', broken, streams[1] ?? ''], {
      ...OPTIONS,
      retry: { maxRetries: 1, delay: 0, restart: true },
    });
    expect(await read(model)).toEqual(await read(replay(streams, OPTIONS).model));
  });

  it.each([
    ['declares such tools for one request', { settings: { body: { tools: [] } } }, 2],
    ['has no tools of Anthropic’s', {}, 1],
  ])('depends on whether the application %s', async (_what, more, requests) => {
    const { model, sent } = replay(bodies);
    await model.generate({ ...REQUEST, ...more }, {});
    expect(sent).toHaveLength(requests);
  });
});
