/** What holds for every answer of a model without tool calling, and how long it takes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { AnswerConverter } from '../../libs/agent-tools/src/models/prompt-calls/answer.converter.js';
import { DeltaConverter } from '../../libs/agent-tools/src/models/text-calls/delta.converter.js';
import { STOP, text } from '../loop/support/models.js';
import { BLOCK, CALL, generated, inPieces, said, streamed } from './prompt-calls.support.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

const cutAt = (written: string, places: readonly number[]): string[] => {
  const cuts = [...new Set(places.map((place) => place % (written.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((cut, index) => written.slice(cut, cuts[index]));
};

const PLACES = fc.array(fc.nat(), { maxLength: 12 });

describe('any answer', () => {
  const SNIPPETS = [
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    '\\',
    '{"name": "',
    '"arguments": {',
    CALL,
    BLOCK,
    '```',
    '```json\n',
    '\n```\n',
    '`',
    '<',
    '<tool_',
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    'Thought: ',
    '\nThought:',
    '\nAction: find',
    '\nAction: nope',
    'Action: find\nAction Input: {"q": 1}',
    '\nAction Input:',
    ', "n": 1',
    ' {"a": 1}',
    'Final Answer:',
    '"id": 1',
    '\nObservation:',
    'Obs',
    '\nFinal Answer: ',
    'Final',
    ' ',
    '\n',
    '\n\n',
    'x',
    'Hello. ',
    'find',
    '\u{1f600}',
    '{"name":"nope","arguments":{}}',
    '{"name":"find","arguments":{"q":"\nObservation:"}}',
  ];

  it('gives the same in any pieces, and as a whole', async () => {
    const answers = fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(answers, PLACES, async (snippets, places) => {
        const written = snippets.join('');
        const whole = await generated(written);
        expect(await streamed(cutAt(written, places))).toEqual(whole);
        expect(await streamed(inPieces(written, 1))).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it('comes out unchanged and complete if it is prose', async () => {
    const prose = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(...' \n\t<>{}[]":`'.split('')),
          fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
        ),
        maxLength: 60,
      })
      .filter((written) => !/:|<tool_/.test(written));
    await fc.assert(
      fc.asyncProperty(prose, PLACES, async (written, places) => {
        const content = written === '' ? [] : [said(written)];
        expect(await streamed(cutAt(written, places))).toEqual({ content, finishReason: 'stop' });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the time for an answer', () => {
  const N = 50_000;
  const HOSTILE: [string, (size: number) => string][] = [
    ['prose', (size) => 'Some words, and more of them.\n'.repeat(size / 30)],
    [
      'a long block',
      (size) => `<tool_call>{"name":"find","arguments":{"q":"${'a'.repeat(size)}"}}</tool_call>`,
    ],
    [
      'a block without an end',
      (size) => `<tool_call>{"name":"find","arguments":{"q":"${'a'.repeat(size)}`,
    ],
    ['bare JSON', (size) => `{"name":"find","arguments":{"q":"${'a'.repeat(size)}"}}`],
    ['a fence', (size) => `\`\`\`json\n{"name":"find","arguments":{"q":"${'a'.repeat(size)}`],
    ['an input', (size) => `Action: find\nAction Input: ${'a '.repeat(size / 2)}`],
    ['block begins', (size) => '<tool_call>'.repeat(size)],
    ['blocks', (size) => BLOCK.repeat(size / 10)],
    ['blocks with open strings', (size) => '<tool_call>{\\"</tool_call>'.repeat(size / 2)],
    ['blocks of nothing', (size) => '<tool_call>{"</tool_call>'.repeat(size / 2)],
    ['braces', (size) => '{'.repeat(size)],
    ['brackets', (size) => '['.repeat(size)],
    ['keys', (size) => '{"name":'.repeat(size)],
    ['nested lists', (size) => `{"name":${'['.repeat(size)}`],
    ['nested lists with an end', (size) => `{"name":${'['.repeat(size)}${']'.repeat(size)}}`],
    ['bare calls', (size) => CALL.repeat(size / 10)],
    ['bare calls, then text', (size) => `${`${CALL}\n`.repeat(size / 10)}x`],
    ['a list of calls', (size) => `[${`${CALL},`.repeat(size / 10)}${CALL}]`],
    ['fences', (size) => '```'.repeat(size / 2)],
    ['fences on lines', (size) => '```\n'.repeat(size / 2)],
    ['a fence with a long word', (size) => `\`\`\`${'a'.repeat(size)}`],
    ['a fence with blanks', (size) => `\`\`\`json${' '.repeat(size)}`],
    ['actions', (size) => 'Action: find\n'.repeat(size / 2)],
    ['empty actions', (size) => 'Action:'.repeat(size / 2)],
    ['empty action lines', (size) => 'Action:\n'.repeat(size / 2)],
    ['an action with blanks', (size) => `Action: find\n${' \n'.repeat(size)}`],
    ['inputs', (size) => 'Action: find\nAction Input: {}\n'.repeat(size / 4)],
    ['open inputs', (size) => 'Action: find\nAction Input: {"\n'.repeat(size / 4)],
    ['an input with blanks', (size) => `Action: find\nAction Input:${' \n'.repeat(size)}`],
    ['an input of fences', (size) => `Action: find\nAction Input:${'```{'.repeat(size / 2)}`],
    ['a long rest', (size) => `Action: find\nAction Input: {}, ${'a <'.repeat(size / 3)}`],
    ['blanks behind an input', (size) => `Action: find\nAction Input: {}${' \n'.repeat(size)},`],
    ['rests', (size) => 'Action: find\nAction Input: {} <tool_call>x'.repeat(size / 4)],
    ['fields', (size) => `<tool_call>{"name":"find"${',"q":1'.repeat(size / 5)}}</tool_call>`],
    ['names', (size) => `<tool_call>{${'"name":"find",'.repeat(size / 8)}}</tool_call>`],
    ['calls with commas', (size) => `<tool_call>${`${CALL},`.repeat(size / 10)}</tool_call>`],
    ['thoughts', (size) => 'Thought:'.repeat(size) + '\nThought: a'.repeat(size / 4)],
    ['blanks', (size) => ' \n'.repeat(size)],
    ['a call, then blanks', (size) => BLOCK + ' '.repeat(size)],
    ['tags', (size) => '<tool_'.repeat(size / 2)],
    ['quotes', (size) => `<tool_call>{${'"a'.repeat(size)}`],
  ];

  function milliseconds(
    pieces: readonly string[],
    Converter: typeof AnswerConverter | typeof DeltaConverter,
  ) {
    const started = performance.now();
    const converter = new Converter(new Set(['find', 'now']));
    for (const piece of pieces) converter.push(text(piece));
    converter.push(STOP);
    converter.end();
    return performance.now() - started;
  }

  it.each(HOSTILE)('is linear for %s', (_kind, write) => {
    const written = write(N);
    // Some 100 ms at most; what is quadratic takes minutes.
    expect(milliseconds([written], AnswerConverter)).toBeLessThan(5_000);
    expect(milliseconds(written.split(''), AnswerConverter)).toBeLessThan(5_000);
  });

  it.each(HOSTILE)('is linear for %s with native calls, too', (_kind, write) => {
    const written = write(N);
    expect(milliseconds([written], DeltaConverter)).toBeLessThan(5_000);
    expect(milliseconds(written.split(''), DeltaConverter)).toBeLessThan(5_000);
  });

  it('of one megabyte in single characters grows with its length', () => {
    const pieces = (size: number) => `Look, <b>{x}\n${'word '.repeat(size / 5)}`.split('');
    milliseconds(pieces(100_000), AnswerConverter);
    const small = Math.max(milliseconds(pieces(100_000), AnswerConverter), 5);
    expect(milliseconds(pieces(1_000_000), AnswerConverter)).toBeLessThan(small * 60);
  });
});
