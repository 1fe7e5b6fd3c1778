import { describe, expect, it } from '@jest/globals';
import { UseGuards } from '@nestjs/common';
import {
  ToolFailedException,
  ToolResult,
  type ToolReturnDirect,
  type ToolResultContentPart,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { only, streamedText } from '../loop/support/events.js';
import { expectSendable, user } from '../loop/support/messages.js';
import { start } from './support/start.js';
import { toolOf, type Work } from './support/tool-of.js';

const NAMES = new Map<ToolReturnDirect, string>([
  [true, 'direct'],
  ['if-last', 'last'],
  [false, 'shown'],
]);

const direct = (returnDirect: ToolReturnDirect, work: Work, name = NAMES.get(returnDirect)) =>
  toolOf({ name, returnDirect }, work);

/** One tool of each kind, and two that end badly. */
function startTools() {
  const denied = direct(true, () => 'never', 'denied');
  UseGuards({ canActivate: () => false })(denied);
  return start({
    providers: [
      ...[...NAMES.keys()].map((kind) => direct(kind, ({ n }) => `${NAMES.get(kind)} ${n}`)),
      direct(
        true,
        () => {
          throw new ToolFailedException('There is none.');
        },
        'failed',
      ),
      denied,
    ],
  });
}

const calls = (...names: string[]) => names.map((tool, n) => ({ tool, arguments: { n } }));

/** The calls of a step, and the answer; undefined if the model is asked again. */
const TABLE: readonly [string[], string | undefined][] = [
  [['direct'], 'direct 0'],
  [['last'], 'last 0'],
  [['shown'], undefined],
  [['direct', 'direct'], 'direct 0\n\ndirect 1'],
  [['direct', 'last'], 'direct 0\n\nlast 1'],
  [['last', 'direct'], 'last 0\n\ndirect 1'],
  [['last', 'last'], 'last 0\n\nlast 1'],
  [['shown', 'last'], 'last 1'],
  [['last', 'shown'], undefined],
  [['shown', 'direct'], undefined],
  [['direct', 'shown'], undefined],
  [['shown', 'shown'], undefined],
  [['direct', 'shown', 'last'], 'last 2'],
  [['last', 'shown', 'last'], 'last 2'],
  [['last', 'shown', 'direct'], undefined],
  [['failed'], undefined],
  [['denied'], undefined],
  [['nothing'], undefined],
  [['direct', 'failed'], undefined],
  [['failed', 'direct'], undefined],
  [['failed', 'last'], undefined],
  [['denied', 'direct'], undefined],
  [['denied', 'last'], undefined],
  [['nothing', 'direct'], undefined],
  [['direct', 'nothing'], undefined],
  [['nothing', 'last'], undefined],
];

describe('the answer of a run', () => {
  it.each(TABLE)('after the calls %j is %j', async (names, answer) => {
    const { run } = await startTools();
    const { text, finishReason, status, messages, steps } = await run([
      calls(...names),
      'The model says.',
    ]);
    expect(status).toBe('completed');
    expect(finishReason).toBe(answer === undefined ? 'stop' : 'return-direct');
    expect(text).toBe(answer ?? 'The model says.');
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text }] });
    expect(steps).toHaveLength(answer === undefined ? 2 : 1);
  });

  it.each(TABLE)('is streamed, after the calls %j: %j', async (names, answer) => {
    const { stream } = await startTools();
    const { events, text } = await stream([calls(...names), 'The model says.']);
    expect(text).toBe(answer ?? 'The model says.');
    expect(streamedText(events)).toBe(text);
    const [finished] = only(events, 'run-finished');
    expect(finished.result.finishReason).toBe(answer === undefined ? 'stop' : 'return-direct');
  });

  it.each(['length', 'content-filter'] as const)(
    'is none if the turn ended with "%s"',
    async (finishReason) => {
      const { run } = await startTools();
      const ended = await run([{ calls: calls('direct'), finishReason }, 'The model says.']);
      expect(ended.finishReason).not.toBe('return-direct');
      expect(ended.steps[0].toolResults.map(({ status }) => status)).toEqual(['error']);
    },
  );

  it('is none if a call is beyond the limit of calls', async () => {
    const { run } = await startTools();
    const { text } = await run([calls('direct', 'direct'), 'The model says.'], {
      limits: { toolCalls: 1 },
    });
    expect(text).toBe('The model says.');
  });

  it('is none if the run was aborted meanwhile', async () => {
    const user = new AbortController();
    const provider = direct(true, () => {
      user.abort();
      return 'done';
    });
    const { run } = await start({ providers: [provider] });
    const { status, finishReason } = await run([calls('direct')], { signal: user.signal });
    expect({ status, finishReason }).toEqual({ status: 'aborted', finishReason: 'aborted' });
  });

  it('may come in a later step', async () => {
    const { run } = await startTools();
    const { text, steps, messages } = await run([calls('shown'), calls('direct')]);
    expect(text).toBe('direct 0');
    expect(steps).toHaveLength(2);
    expectSendable(messages);
  });

  it('is that of the tool, not a text beside its call', async () => {
    const { stream } = await startTools();
    const { text, events } = await stream([{ text: 'Let me see.', calls: calls('direct') }]);
    expect(text).toBe('direct 0');
    expect(streamedText(events)).toBe('Let me see.direct 0');
  });
});

describe('what a tool returned, as the answer', () => {
  const IMAGE: ToolResultContentPart = { type: 'image', url: 'data:image/png;base64,AA==' };
  const text = (piece: string): ToolResultContentPart => ({ type: 'text', text: piece });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'Success'],
    ['an empty text', '', '(no output)'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['parts', [text('one'), IMAGE, text('two')], 'one\ntwo'],
    ['a ToolResult with a text', new ToolResult('For you.', { value: 1 }), 'For you.'],
    ['a ToolResult with parts', new ToolResult([text('one'), text('two')]), 'one\ntwo'],
  ])('is the text of %s', async (_what, value, expected) => {
    const { run } = await start({ providers: [direct(true, () => value)] });
    const ended = await run([{ tool: 'direct' }]);
    expect(ended.text).toBe(expected);
    expect(ended.messages.at(-1)).toEqual({ role: 'assistant', content: [text(expected)] });
  });

  it('is none if there is no text in it: the conversation would end with the tool', async () => {
    const { run } = await start({ providers: [direct(true, () => [IMAGE])] });
    const { messages, text: answer } = await run([{ tool: 'direct' }, 'Here it is.']);
    expect(messages.at(-1)?.role).toBe('assistant');
    expect(answer).not.toBe('');
  });

  it('is cut at `maxResultLength`', async () => {
    const provider = toolOf({ returnDirect: true, maxResultLength: 4 }, () => 'abcdefgh');
    const { run } = await start({ providers: [provider] });
    expect((await run([{ tool: 'work' }])).text).toBe('abcd\n[cut: the first 4 of 8 characters]');
  });
});

describe('the conversation', () => {
  it('goes on after it: the next run’s model sees call, result and answer', async () => {
    const { agent } = await startTools();
    const first = await agent.run('One.', { model: scripted([calls('direct')]) });
    const history = [user('One.'), ...first.messages, user('Two.')];
    expectSendable(history);
    const model = scripted(['I see.']);
    const second = await agent.run(history, { model });
    expect(second.text).toBe('I see.');
    expect(model.requests[0].messages).toEqual(history);
    expect(first.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
  });
});
