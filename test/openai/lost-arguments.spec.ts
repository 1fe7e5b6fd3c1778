import { describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, ChatStreamException, type ChatResponse } from 'nestjs-agent-tools';
import { failure } from '../models/test-server.js';
import { toSse, type Json } from './responses-events.js';
import { openaiResponses } from './responses.exports.js';

const WHOLE = '{"order":"A-1","amount":5}';
const ITEM = { type: 'function_call', id: 'f', call_id: 'c', name: 'refund' };
const ADDED = {
  type: 'response.output_item.added',
  output_index: 0,
  item: { ...ITEM, arguments: '' },
};
const delta = (text: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index: 0,
  delta: text,
});
const done = (json: unknown) => ({
  type: 'response.function_call_arguments.done',
  output_index: 0,
  arguments: json,
});
const itemDone = (json: unknown) => ({
  type: 'response.output_item.done',
  output_index: 0,
  item: { ...ITEM, arguments: json, status: 'completed' },
});
const completed = (...output: object[]) => ({
  type: 'response.completed',
  response: { status: 'completed', output },
});

function model(bodies: Json[][]) {
  let requests = 0;
  const made = openaiResponses({
    model: 'gpt-5',
    apiKey: 'k',
    retry: { maxRetries: bodies.length - 1, delay: 1, restart: true },
    fetch: async () =>
      new Response(toSse(bodies[requests++] ?? []), {
        headers: { 'content-type': 'text/event-stream' },
      }),
  });
  return { made, requests: () => requests };
}

async function read(...bodies: Json[][]): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for await (const piece of model(bodies).made.stream({ messages: [] })) assembler.push(piece);
  return assembler.finish();
}

const argumentsOf = ({ content }: ChatResponse) =>
  content.map((part) => part.type === 'tool-call' && part.arguments);

describe('arguments in pieces', () => {
  // A gateway has dropped `,"amount":5`.
  const LOSSY = [ADDED, delta('{"order":"A-1"'), delta('}')];

  it.each([
    ['the whole text', [done(WHOLE), completed()]],
    ['the whole item', [itemDone(WHOLE), completed()]],
    ['the whole text and the item', [done(WHOLE), itemDone(WHOLE), completed()]],
    ['arguments as an object', [itemDone(JSON.parse(WHOLE)), completed()]],
    ['the whole answer', [completed({ ...ITEM, arguments: WHOLE, status: 'completed' })]],
    ['a text that is no JSON', [done('{"order":"A-1"'), itemDone('{"order":"A-1"'), completed()]],
  ])('of which some were lost are an answer that is cut off: %s follows', async (_, end) => {
    const error = await failure(read([...LOSSY, ...end]));
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error).toMatchObject({ retryable: true });
  });

  it('of which some were lost are asked for again', async () => {
    const lossy = [...LOSSY, itemDone(WHOLE), completed()];
    const good = [ADDED, delta('{"order":"A-1"'), delta(',"amount":5}'), itemDone(WHOLE)];
    expect(argumentsOf(await read(lossy, [...good, completed()]))).toEqual([WHOLE]);
  });

  it.each([
    ['in the same words', WHOLE],
    ['with other blanks and order', '{ "amount": 5, "order": "A-1" }'],
    ['as an object', { order: 'A-1', amount: 5 }],
    ['as nothing', ''],
    ['as null', null],
  ])('are those of the answer if the server repeats them %s', async (_, json) => {
    const pieces = [ADDED, delta('{"order":"A-1"'), delta(',"amount":5}')];
    expect(argumentsOf(await read([...pieces, done(json), itemDone(json), completed()]))).toEqual([
      WHOLE,
    ]);
  });

  it('do not come after the whole text', async () => {
    const events = [ADDED, done(WHOLE), itemDone(WHOLE), delta('{"order":"A-1"}'), completed()];
    expect(argumentsOf(await read(events))).toEqual([WHOLE]);
  });

  it('of a call that was cut off with the answer do not matter', async () => {
    const incomplete = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    };
    expect((await read([...LOSSY, incomplete])).finishReason).toBe('length');
  });
});
