import { describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, ChatStreamException, type ChatResponse } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';

const piece = (delta: object) => ({ choices: [{ index: 0, delta }] });
const whole = (message: object, more: object = { finish_reason: 'tool_calls' }) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, ...more }],
});
const call = (id: string | undefined, name: string, json = '{}', more = {}) => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: json },
  ...more,
});

async function read(...chunks: object[]): Promise<ChatResponse> {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const model = openai({
    model: 'm',
    apiKey: 'k',
    profile: 'openrouter',
    fetch: async () =>
      new Response(`${events.join('')}data: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      }),
  });
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream({ messages: [] })) assembler.push(delta);
  return assembler.finish();
}

const brief = ({ content }: ChatResponse) =>
  content.map((part) =>
    part.type === 'tool-call' ? `${part.name}(${part.arguments})` : `${part.type}: ${part.text}`,
  );

describe('a whole message behind the pieces of a stream', () => {
  const ORDER = '{"order":"A-1"}';

  it('gives its reason, but no text and no call again', async () => {
    const calls = [call('a', 'refund', ORDER, { index: 0 })];
    const response = await read(
      piece({ content: 'Well.' }),
      piece({ tool_calls: calls }),
      whole({ content: 'Well.', tool_calls: calls }),
    );
    expect(brief(response)).toEqual(['text: Well.', `refund(${ORDER})`]);
    expect(response.finishReason).toBe('tool-calls');
  });

  it('gives nothing again if all was in one piece, or the calls have no index', async () => {
    const message = { content: 'Well.', tool_calls: [call('a', 'refund', ORDER)] };
    expect(brief(await read(piece(message), whole(message)))).toEqual([
      'text: Well.',
      `refund(${ORDER})`,
    ]);
  });

  it.each([
    ['other ids', [call('x', 'refund', ORDER), call('y', 'cancel')]],
    ['no ids', [call(undefined, 'refund', ORDER), call('', 'cancel')]],
    ['some of the ids', [call('a', 'refund', ORDER), call('y', 'cancel')]],
  ])('gives no call that it has under %s', async (_, calls) => {
    const response = await read(
      piece({ tool_calls: [call('a', 'refund', ORDER), call('b', 'cancel')] }),
      whole({ tool_calls: calls }),
    );
    expect(brief(response)).toEqual([`refund(${ORDER})`, 'cancel({})']);
  });

  it('gives no call that came without an id', async () => {
    const response = await read(
      piece({ tool_calls: [call(undefined, 'refund', ORDER, { index: 0 })] }),
      whole({ tool_calls: [call('a', 'refund', ORDER)] }),
    );
    expect(brief(response)).toEqual([`refund(${ORDER})`]);
  });

  it('gives the calls that did not come', async () => {
    const calls = [call('a', 'refund', ORDER), call('b', 'cancel', ORDER)];
    expect(
      brief(await read(piece({ tool_calls: calls.slice(0, 1) }), whole({ tool_calls: calls }))),
    ).toEqual([`refund(${ORDER})`, `cancel(${ORDER})`]);
    const texts = [piece({ content: 'We' }), piece({ content: 'll.' })];
    expect(brief(await read(...texts, whole({ content: 'Well.', tool_calls: calls })))).toEqual([
      'text: Well.',
      `refund(${ORDER})`,
      `cancel(${ORDER})`,
    ]);
  });

  it('gives its text and calls if only reasoning came, which it does not repeat', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x', index: 0 }];
    const response = await read(
      piece({ reasoning: 'H' }),
      piece({ reasoning: 'm.', reasoning_details: details }),
      whole({
        reasoning: 'Hm.',
        reasoning_details: details,
        content: 'Well.',
        tool_calls: [call('a', 'refund', ORDER)],
      }),
    );
    expect(brief(response)).toEqual(['reasoning: Hm.', 'text: Well.', `refund(${ORDER})`]);
    expect(response.content[0]?.providerMetadata).toEqual({
      openrouter: { reasoning_details: details },
    });
  });

  it('does not repeat reasoning and its details behind a text', async () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0 }];
    const response = await read(
      piece({ reasoning: 'Hm.', reasoning_details: details }),
      piece({ content: 'Well.' }),
      whole({ reasoning: 'Hm.', reasoning_details: details, content: 'Well.' }),
    );
    expect(brief(response)).toEqual(['reasoning: Hm.', 'text: Well.']);
  });

  it('does not repeat details of reasoning that came alone', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x', index: 0 }];
    const response = await read(
      piece({ reasoning_details: details }),
      whole({ reasoning_details: details, tool_calls: [call('a', 'refund', ORDER)] }),
    );
    expect(brief(response)).toEqual(['reasoning: ', `refund(${ORDER})`]);
    expect(response.content[0]?.providerMetadata).toEqual({
      openrouter: { reasoning_details: details },
    });
  });

  it('is the one of the choice whose pieces came', async () => {
    const response = await read(piece({ content: 'Well.' }), {
      choices: [
        { index: 1, message: { tool_calls: [call('a', 'refund')] }, finish_reason: 'tool_calls' },
        { index: 0, message: { content: 'Well.' }, finish_reason: 'stop' },
      ],
    });
    expect(brief(response)).toEqual(['text: Well.']);
    expect(response.finishReason).toBe('stop');
  });

  it('tells of a refusal', async () => {
    const response = await read(
      piece({ content: 'I cannot.' }),
      whole({ content: 'I cannot.', refusal: 'I cannot.' }, { finish_reason: 'stop' }),
    );
    expect(brief(response)).toEqual(['text: I cannot.']);
    expect(response.finishReason).toBe('content-filter');
  });

  it('is the answer if nothing but empty pieces came before', async () => {
    const message = { content: 'Well.', tool_calls: [call('a', 'refund', ORDER)] };
    expect(
      brief(await read(piece({ role: 'assistant', content: '' }), piece({}), whole(message))),
    ).toEqual(['text: Well.', `refund(${ORDER})`]);
  });
});

it('a stream of messages without pieces is put together', async () => {
  const pieceOf = (content: string) => whole({ content }, {});
  expect(brief(await read(pieceOf('We'), pieceOf('ll.'), whole({ content: '' })))).toEqual([
    'text: Well.',
  ]);
});

describe('pieces that lost something', () => {
  const ORDER = '{"order":"A-1"}';

  it('gives the arguments of a call of which only the begin came', async () => {
    const begun = piece({ tool_calls: [call('a', 'refund', '', { index: 0 })] });
    const response = await read(begun, whole({ tool_calls: [call('a', 'refund', ORDER)] }));
    expect(brief(response)).toEqual([`refund(${ORDER})`]);
  });

  it.each([
    ['fewer arguments', '{"order":"A-1"}', '{"order":"A-1","amount":5}'],
    ['half of them', '{"order":', '{"order":"A-1"}'],
  ])('makes an answer of no use of pieces with %s', async (_what, some, all) => {
    const begun = piece({ tool_calls: [call('a', 'refund', some, { index: 0 })] });
    const reading = read(begun, whole({ tool_calls: [call('a', 'refund', all)] }));
    await expect(reading).rejects.toThrow(ChatStreamException);
  });

  it('keeps calls without arguments apart that one piece gives the same index', async () => {
    const calls = ['a', 'b'].map((name) => call('', name, '', { index: 0 }));
    expect(
      brief(await read(piece({ tool_calls: calls }), whole({}, { finish_reason: 'stop' }))),
    ).toEqual(['a({})', 'b({})']);
  });
});
