import { describe, expect, it } from '@jest/globals';
import {
  ChatModelException,
  ChatStreamAssembler,
  ChatStreamException,
  type ChatDelta,
  type ChatResponse,
  type ToolCallPart,
} from 'nestjs-agent-tools';

type CallDelta = Omit<Extract<ChatDelta, { type: 'tool-call' }>, 'type'>;

function assemble(...deltas: ChatDelta[]): ChatResponse {
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}

function calls(...deltas: CallDelta[]): ToolCallPart[] {
  const { content } = assemble(
    ...deltas.map((delta) => ({ type: 'tool-call' as const, ...delta })),
    { type: 'finish', reason: 'tool-calls' },
  );
  return content as ToolCallPart[];
}

const pairs = (parts: ToolCallPart[]) => parts.map((part) => [part.name, part.arguments]);
const STOP: ChatDelta = { type: 'finish', reason: 'stop' };

describe('ChatStreamAssembler', () => {
  describe('matches the pieces of calls', () => {
    it('by index, when only the first piece has an id', () => {
      const parts = calls(
        { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
        { index: 1, id: 'b', name: 'g', arguments: '{"y"' },
        { index: 0, arguments: ':1}' },
        { index: 1, arguments: ':2}' },
      );
      expect(parts).toEqual([
        { type: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}' },
        { type: 'tool-call', id: 'b', name: 'g', arguments: '{"y":2}' },
      ]);
    });

    it('by position, when no piece has an index', () => {
      expect(calls({ id: 'c1', name: 'f', arguments: '{"a":' }, { arguments: '1}' })).toEqual([
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
      ]);
    });

    it('by id before index', () => {
      const parts = calls(
        { index: 0, id: 'a', name: 'f', arguments: '{"x":' },
        { index: 0, id: 'b', name: 'g', arguments: '{"y":' },
        { index: 0, id: 'a', arguments: '1}' },
        { index: 0, id: 'b', arguments: '2}' },
      );
      expect(pairs(parts)).toEqual([
        ['f', '{"x":1}'],
        ['g', '{"y":2}'],
      ]);
    });

    it('as two calls, when a new id comes on a used index', () => {
      const parts = calls(
        { index: 0, id: 'a', name: 'f', arguments: '{"p":"a"}' },
        { index: 0, id: 'b', name: 'f', arguments: '{"p":"b"}' },
      );
      expect(parts.map(({ id, arguments: json }) => [id, json])).toEqual([
        ['a', '{"p":"a"}'],
        ['b', '{"p":"b"}'],
      ]);
    });

    it('as one call, when the id comes after the first piece', () => {
      expect(
        calls({ index: 0, name: 'f', arguments: '{' }, { index: 0, id: 'x', arguments: '}' }),
      ).toEqual([{ type: 'tool-call', id: 'x', name: 'f', arguments: '{}' }]);
    });

    it('as one call, when only the later pieces have an index', () => {
      expect(
        pairs(calls({ id: 'x', name: 'f', arguments: '{' }, { index: 0, arguments: '}' })),
      ).toEqual([['f', '{}']]);
    });

    it('as one call, when each piece has a new id but only the first a name', () => {
      const parts = calls(
        { index: 0, id: 'a', name: 'f' },
        { index: 0, id: 'b', arguments: '{"x":' },
        { index: 0, id: 'c', arguments: '1}' },
      );
      expect(pairs(parts)).toEqual([['f', '{"x":1}']]);
    });

    it('as two calls, when two indexes have the same id', () => {
      const [first, second] = calls(
        { index: 0, id: 'same', name: 'f', arguments: '{"n":1}' },
        { index: 1, id: 'same', name: 'f', arguments: '{"n":2}' },
      );
      expect(first).toMatchObject({ id: 'same', arguments: '{"n":1}' });
      expect(second?.arguments).toBe('{"n":2}');
      expect(second?.id).not.toBe('same');
    });
  });

  describe('reads names', () => {
    it('that come after the first arguments', () => {
      const parts = calls(
        { index: 0, id: 'x', arguments: '{"a"' },
        { index: 0, arguments: ':1' },
        { index: 0, name: 'f', arguments: '}' },
      );
      expect(pairs(parts)).toEqual([['f', '{"a":1}']]);
    });

    it('that are repeated with every piece', () => {
      const parts = calls(
        { index: 0, id: 'x', name: 'f', arguments: '{"a"' },
        { index: 0, id: 'x', name: 'f', arguments: ':{"b":1}' },
        { index: 0, id: 'x', name: 'f', arguments: '}' },
      );
      expect(pairs(parts)).toEqual([['f', '{"a":{"b":1}}']]);
    });

    it('that tell calls apart which have neither id nor index', () => {
      const parts = calls(
        { name: 'f', arguments: '{"a":1}' },
        { name: 'f', arguments: '{"a":2}' },
        { name: 'g', arguments: '{}' },
      );
      expect(pairs(parts)).toEqual([
        ['f', '{"a":1}'],
        ['f', '{"a":2}'],
        ['g', '{}'],
      ]);
      expect(new Set(parts.map(({ id }) => id)).size).toBe(3);
    });

    it('and takes no header without one for a call', () => {
      expect(calls({ index: 0, id: 'call_x' })).toEqual([]);
      expect(pairs(calls({ index: 0, id: 'call_x' }, { index: 0, name: 'f' }))).toEqual([
        ['f', '{}'],
      ]);
    });
  });

  describe('never gives a call less than the model wrote, or to another tool', () => {
    it.each<[string, CallDelta[], [string, string][]]>([
      [
        'a name in pieces, each with the id',
        [
          { index: 0, id: 'a', name: 'draft_' },
          { index: 0, id: 'a', name: 'delete' },
          { index: 0, id: 'a', arguments: '{"x":1}' },
        ],
        [['draft_delete', '{"x":1}']],
      ],
      [
        'the same without an index',
        [
          { id: 'a', name: 'draft_' },
          { id: 'a', name: 'delete' },
          { id: 'a', arguments: '{"x":1}' },
        ],
        [['draft_delete', '{"x":1}']],
      ],
      [
        'an empty object before the arguments, with id and name in each piece',
        [
          { index: 0, id: 'a', name: 'refund', arguments: '{}' },
          { index: 0, id: 'a', name: 'refund', arguments: '{"order":' },
          { index: 0, id: 'a', name: 'refund', arguments: '"A-1"}' },
        ],
        [['refund', '{"order":"A-1"}']],
      ],
      [
        'whole calls at one index, the first without arguments',
        [
          { index: 0, name: 'list', arguments: '' },
          { index: 0, name: 'refund', arguments: '{"a":1}' },
        ],
        [
          ['list', '{}'],
          ['refund', '{"a":1}'],
        ],
      ],
      [
        'names without an index, and arguments with indexes that do not count from 0',
        [
          { id: 'a', name: 'refund' },
          { id: 'b', name: 'cancel' },
          { index: 1, arguments: '{"order":"A"}' },
          { index: 2, arguments: '{"order":"B"}' },
        ],
        [
          ['refund', 'Parts of the arguments were lost in the stream.'],
          ['cancel', 'Parts of the arguments were lost in the stream.'],
        ],
      ],
    ])('%s', (_, deltas, expected) => {
      expect(pairs(calls(...deltas))).toEqual(expected);
    });
  });

  it('drops a piece without id, name and arguments', () => {
    expect(
      pairs(calls({ index: 0, id: 'a', name: 'f' }, { index: 1, id: '' }, { index: 2 })),
    ).toEqual([['f', '{}']]);
  });

  it('takes a name alone for a call without arguments', () => {
    expect(pairs(calls({ name: 'now' }))).toEqual([['now', '{}']]);
  });

  it.each(['', ' ', '\n'])('turns the arguments %j into an empty object', (blank) => {
    expect(pairs(calls({ id: 'a', name: 'f', arguments: blank }))).toEqual([['f', '{}']]);
  });

  it('does not take arguments that could be complete for the whole', () => {
    expect(
      pairs(calls({ index: 0, id: 'a', name: 'f', arguments: '1' }, { index: 0, arguments: '23' })),
    ).toEqual([['f', '123']]);
  });

  it('keeps broken arguments as they are', () => {
    expect(pairs(calls({ id: 'a', name: 'f', arguments: '{"city": "Par' }))).toEqual([
      ['f', '{"city": "Par'],
    ]);
  });

  it('gives calls without an id ids of their own, the same at each look', () => {
    const assembler = new ChatStreamAssembler();
    assembler.push({ type: 'tool-call', index: 0, id: '', name: 'f' });
    assembler.push({ type: 'tool-call', index: 1, name: 'f' });
    assembler.push({ type: 'finish', reason: 'tool-calls' });
    const ids = (assembler.finish().content as ToolCallPart[]).map(({ id }) => id);
    expect(ids[0]).toMatch(/^call_[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(2);
    expect((assembler.finish().content as ToolCallPart[]).map(({ id }) => id)).toEqual(ids);
  });

  it('keeps names such as __proto__ as plain names', () => {
    const parts = calls(
      { id: '__proto__', name: 'constructor' },
      { id: 'toString', name: '__proto__' },
    );
    expect(parts.map(({ id, name }) => [id, name])).toEqual([
      ['__proto__', 'constructor'],
      ['toString', '__proto__'],
    ]);
  });

  it('keeps the order of text and reasoning, joins neighbours and puts calls last', () => {
    const { content } = assemble(
      { type: 'reasoning', text: 'Hm' },
      { type: 'reasoning', text: '.' },
      { type: 'text', text: 'Let ' },
      { type: 'tool-call', id: 'a', name: 'f' },
      { type: 'text', text: 'me see' },
      { type: 'reasoning', text: 'Ah' },
      { type: 'text', text: '!' },
      STOP,
    );
    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Let me see' },
      { type: 'reasoning', text: 'Ah' },
      { type: 'text', text: '!' },
      { type: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
    ]);
  });

  it('makes no parts of empty text', () => {
    expect(
      assemble({ type: 'text', text: '' }, { type: 'reasoning', text: '' }, STOP).content,
    ).toEqual([]);
  });

  it('merges the provider metadata of the pieces of a part', () => {
    const { content } = assemble(
      { type: 'reasoning', text: 'a', providerMetadata: { p: { kind: 1, signature: 's1' } } },
      { type: 'reasoning', text: '', providerMetadata: { p: { signature: 's2' }, q: { x: 1 } } },
      { type: 'tool-call', index: 0, name: 'f', providerMetadata: { p: { thought: 't' } } },
      { type: 'tool-call', index: 0, providerMetadata: { p: { more: 'm' } } },
      STOP,
    );
    expect(content).toEqual([
      {
        type: 'reasoning',
        text: 'a',
        providerMetadata: { p: { kind: 1, signature: 's2' }, q: { x: 1 } },
      },
      {
        type: 'tool-call',
        id: expect.any(String),
        name: 'f',
        arguments: '{}',
        providerMetadata: { p: { thought: 't', more: 'm' } },
      },
    ]);
  });

  it('keeps metadata that comes without text', () => {
    const metadata = { p: { encrypted: 'e' } };
    expect(
      assemble({ type: 'reasoning', text: '', providerMetadata: metadata }, STOP).content,
    ).toEqual([{ type: 'reasoning', text: '', providerMetadata: metadata }]);
  });

  it('replaces the usage, also by a smaller one', () => {
    const usage = (outputTokens: number) => ({ inputTokens: 27, outputTokens, totalTokens: 30 });
    expect(
      assemble({ type: 'usage', usage: usage(47) }, STOP, { type: 'usage', usage: usage(3) }).usage,
    ).toEqual(usage(3));
    expect(assemble(STOP)).toEqual({ content: [], finishReason: 'stop' });
  });

  it('lets no later stop hide why the model stopped', () => {
    expect(assemble({ type: 'finish', reason: 'length' }, STOP).finishReason).toBe('length');
    expect(assemble(STOP, { type: 'finish', reason: 'error' }).finishReason).toBe('error');
  });

  it('throws at a stream without a finish, with text and reasoning but no half call', () => {
    const assembler = new ChatStreamAssembler();
    assembler.push({ type: 'reasoning', text: 'Hm' });
    assembler.push({ type: 'text', text: 'I will' });
    assembler.push({ type: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1' });
    let error: unknown;
    try {
      assembler.finish();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error).toMatchObject({
      message: expect.stringContaining('ended without a finish'),
      retryable: true,
      partial: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'I will' },
      ],
    });
  });

  it('takes time in proportion to the number of pieces', () => {
    const time = (count: number): number => {
      const assembler = new ChatStreamAssembler();
      const start = performance.now();
      for (let n = 0; n < count; n++) {
        assembler.push({ type: 'text', text: 'token ' });
        assembler.push({ type: 'tool-call', index: n % 50, id: `c${n % 50}`, arguments: ' ' });
      }
      assembler.push(STOP);
      assembler.finish();
      return performance.now() - start;
    };
    time(20_000);
    const small = Math.min(...[1, 2, 3, 4, 5].map(() => time(10_000)));
    const large = Math.min(...[1, 2, 3, 4, 5].map(() => time(100_000)));
    // Quadratic work would take 100 times as long.
    expect(large / small).toBeLessThan(60);
  });
});
