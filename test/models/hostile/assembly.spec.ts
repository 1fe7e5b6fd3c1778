/** Streams of servers that do not keep to the protocol: no call may run with less, or other arguments. */
import { describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, type ChatModel, type ChatResponse } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';

const ask = { messages: [{ role: 'user' as const, content: 'x' }] };
const common = { apiKey: 'k', retry: { maxRetries: 0 } };
const sse = (events: readonly unknown[]) =>
  [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join('');
const answering = (body: string | ReadableStream) =>
  (async () =>
    new Response(body, { headers: { 'content-type': 'text/event-stream' } })) as typeof fetch;

async function read(model: ChatModel): Promise<ChatResponse | Error> {
  const assembler = new ChatStreamAssembler();
  try {
    for await (const delta of model.stream(ask, {})) assembler.push(delta);
    return assembler.finish();
  } catch (error) {
    return error as Error;
  }
}
const chat = (pieces: readonly object[]) =>
  read(
    openai({
      model: 'm',
      ...common,
      fetch: answering(
        sse([
          ...pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] })),
          { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        ]),
      ),
    }),
  );
/** Name and arguments of the calls that could run; none if the answer is refused. */
const calls = (answer: ChatResponse | Error) =>
  answer instanceof Error
    ? []
    : answer.content.flatMap((part) =>
        part.type === 'tool-call' ? [[part.name, part.arguments]] : [],
      );

describe('a call does not run with lost arguments', () => {
  it('if each piece has an index of its own', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', function: { name: 'refund', arguments: '' } },
        { index: 1, function: { arguments: '{"order":' } },
        { index: 2, function: { arguments: '"A-1"}' } },
      ]),
    );
    expect(got).toEqual([['refund', '{"order":"A-1"}']]);
  });
  it('if its arguments come under another index', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', function: { name: 'refund', arguments: '' } },
        { index: 1, function: { arguments: '{"order":"A-1"}' } },
      ]),
    );
    expect(got).toEqual([['refund', '{"order":"A-1"}']]);
  });
  it('if its arguments come under another index and id', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', function: { name: 'refund', arguments: '' } },
        { index: 1, id: 'b', function: { arguments: '{"order":"A-1"}' } },
      ]),
    );
    expect(got).toEqual([['refund', '{"order":"A-1"}']]);
  });
  it('if it began with an empty object', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', function: { name: 'refund', arguments: '{}' } },
        { index: 1, function: { arguments: '{"order":"A-1"}' } },
      ]),
    );
    expect(got).toEqual([['refund', '{"order":"A-1"}']]);
  });
  it('if another call lacks some as well, and nobody can tell whose they are', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', function: { name: 'refund', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'cancel', arguments: '' } },
        { index: 2, id: 'c', function: { name: 'find', arguments: '{"order":"C-3"}' } },
        { index: 3, function: { arguments: '{"order":"A-1"}' } },
      ]),
    );
    const lost = 'Parts of the arguments were lost in the stream.';
    expect(got).toEqual([
      ['refund', lost],
      ['cancel', lost],
      ['find', '{"order":"C-3"}'],
    ]);
  });
});

describe('a call does not run with the arguments of another one', () => {
  it('if only the arguments have an index', async () => {
    const got = calls(
      await chat([
        { id: 'a', function: { name: 'refund', arguments: '' } },
        { id: 'b', function: { name: 'cancel', arguments: '' } },
        { index: 0, function: { arguments: '{"order":"A-1"}' } },
        { index: 1, function: { arguments: '{"order":"B-2"}' } },
      ]),
    );
    expect(got).toEqual([
      ['refund', '{"order":"A-1"}'],
      ['cancel', '{"order":"B-2"}'],
    ]);
  });
});

describe('a name that comes in pieces', () => {
  it('does not call the tool of its last piece', async () => {
    const got = calls(
      await chat([
        { index: 0, id: 'a', type: 'function', function: { name: 'draft_', arguments: '' } },
        { index: 0, function: { name: 'delete', arguments: '' } },
        { index: 0, function: { arguments: '{"id":"A-1"}' } },
      ]),
    );
    expect(got).toEqual([['draft_delete', '{"id":"A-1"}']]);
  });
});

describe('characters', () => {
  it('that mark the order of bytes are dropped at the begin of a stream', async () => {
    const piece = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'ä' }, finish_reason: 'stop' }],
    });
    for (const cut of [0, 1, 3]) {
      const bytes = new TextEncoder().encode(`\uFEFFdata: ${piece}\n\ndata: [DONE]\n\n`);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.slice(0, cut));
          controller.enqueue(bytes.slice(cut));
          controller.close();
        },
      });
      const answer = (await read(
        openai({ model: 'm', ...common, fetch: answering(body) }),
      )) as ChatResponse;
      expect(answer.content).toEqual([{ type: 'text', text: 'ä' }]);
    }
  });

  it('that look like a byte order mark are kept at the begin of a chunk', async () => {
    const encoder = new TextEncoder();
    const piece = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'a\uFEFFb' }, finish_reason: 'stop' }],
    });
    const bytes = encoder.encode(`data: ${piece}\n\ndata: [DONE]\n\n`);
    const at = bytes.indexOf(0xef);
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes.slice(0, at));
        controller.enqueue(bytes.slice(at));
        controller.close();
      },
    });
    const answer = (await read(
      openai({ model: 'm', ...common, fetch: answering(body) }),
    )) as ChatResponse;
    expect(answer.content).toEqual([{ type: 'text', text: 'a\uFEFFb' }]);
  });
});
