/**
 * Messages and history: faults 43 to 63 of public agent loops.
 *
 * Not applicable yet: 42 and the wire format of 44 and 46 (how a protocol writes a message: tests of
 * the protocol's library); 47 and 57 (windows over a memory: there is no memory); 52 for
 * conversations that a server keeps, and 54 (no protocol of ours refers to items of a server);
 * 51, 53 and 60 for approvals (there are none): the stored double call and the thrown error are tested.
 */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  CurrentToolCall,
  repairHistory,
  Tool,
  ToolParam,
  ToolSignal,
  type ChatMessage,
  type ChatRequest,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { leaveAt } from './support/events.js';
import {
  assistant,
  call,
  callsOf,
  expectSendable,
  result,
  resultsOf,
  toolMessage,
  user,
} from './support/messages.js';
import { streaming, text } from './support/models.js';
import { sleep } from './support/time.js';

const returned: { value?: unknown; error?: unknown } = {};

@Injectable()
class Values {
  @Tool('Gives what the test wants.')
  give() {
    return returned.value;
  }

  @Tool('Throws what the test wants.')
  fail() {
    throw returned.error;
  }

  @Tool({ description: 'Throws what the test wants.', errors: 'message' })
  failOpenly() {
    throw returned.error;
  }

  @Tool('Waits, then answers.')
  async wait(@ToolParam('ms') ms: number) {
    await sleep(ms);
    return `waited ${ms}`;
  }

  @Tool('Reports, then waits.')
  async report(@CurrentToolCall() running: ToolCall) {
    running.progress('half');
    await sleep(5);
    return 'reported';
  }

  @Tool('Ends when it is told to.')
  endless(@ToolSignal() signal: AbortSignal) {
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }
}

async function contentFor(value: unknown) {
  returned.value = value;
  const { agent } = await startAgent([Values], { model: scripted([{ tool: 'give' }, 'Done.']) });
  const { messages } = await agent.run('Go.');
  return resultsOf(messages)[0].content;
}

describe('what a tool returns', () => {
  it.each([
    [undefined, 'Success'],
    ['', '(no output)'],
    [[], '[]'],
    [false, 'false'],
    [0, '0'],
    [null, 'null'],
  ])('is never empty text: %p', async (value, content) => {
    expect(await contentFor(value)).toBe(content);
  });

  it('is data if it is a list of anything else than parts', async () => {
    expect(await contentFor([1, 2])).toBe('[1,2]');
    expect(await contentFor([{ type: 'text', text: 'x' }, 1])).toBe(
      '[{"type":"text","text":"x"},1]',
    );
    expect(await contentFor([{ type: 'text', text: 'x' }])).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('never holds half a character', async () => {
    expect(await contentFor('ab\ud83d')).toBe('ab\ufffd');
    expect(await contentFor({ text: 'ab\ud83d' })).toBe('{"text":"ab\\ud83d"}');
    const long = (await contentFor(`${'x'.repeat(39_999)}😀 and more`)) as string;
    expect(long.isWellFormed()).toBe(true);
    expect(long).toContain('[cut: the first 39999 of');
  });

  it('tells the message of an error that is returned', async () => {
    expect(await contentFor(new Error('boom'))).toBe('{"name":"Error","message":"boom"}');
  });
});

describe('what a tool throws', () => {
  async function errorFor(error: unknown, tool = 'failOpenly') {
    returned.error = error;
    const { agent } = await startAgent([Values], { model: scripted([{ tool }, 'Done.']) });
    const { messages } = await agent.run('Go.');
    return resultsOf(messages)[0];
  }

  it('reaches the model as its message, never as an empty object', async () => {
    expect(await errorFor(new Error('boom'))).toMatchObject({ status: 'error', content: 'boom' });
  });

  it('reaches it as the name of the class if there is no message', async () => {
    expect((await errorFor(new TypeError())).content).toBe('TypeError');
    class OutOfStock extends Error {}
    expect((await errorFor(new OutOfStock())).content).not.toBe('');
  });

  it('is not told at all by default', async () => {
    const { content } = await errorFor(new Error('pg://user:pw@h'), 'fail');
    expect(content).toMatch(/^"fail" failed unexpectedly \(error id \w+\)\.$/);
  });
});

describe('the messages of a run', () => {
  it('hold the results in the order of the calls, in one message, whichever ended first', async () => {
    const play = async () => {
      const { agent } = await startAgent([Values], {
        model: scripted([
          [
            { tool: 'wait', arguments: { ms: 30 } },
            { tool: 'wait', arguments: { ms: 1 } },
            { tool: 'wait', arguments: { ms: 10 } },
          ],
          'Done.',
        ]),
      });
      return (await agent.run('Go.')).messages;
    };
    const first = await play();
    expect(first.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(resultsOf(first).map(({ content }) => content)).toEqual([
      'waited 30',
      'waited 1',
      'waited 10',
    ]);
    expect(JSON.stringify(await play())).toBe(JSON.stringify(first));
  });

  it('have text and reasoning before the calls, in whatever order the model sent them', async () => {
    const { agent } = await startAgent([Values], {
      model: scripted([
        {
          content: [
            call('c1', 'give'),
            { type: 'text', text: 'Looking.' },
            call('c2', 'give'),
            { type: 'reasoning', text: 'Hm.' },
          ],
        },
        'Done.',
      ]),
    });
    const { messages } = await agent.run('Go.');
    expect(messages[0]).toEqual(
      assistant(
        { type: 'text', text: 'Looking.' },
        { type: 'reasoning', text: 'Hm.' },
        call('c1', 'give'),
        call('c2', 'give'),
      ),
    );
    expectSendable(messages);
  });

  it('keep empty text that carries what the provider wants back', async () => {
    const signed = {
      type: 'text',
      text: '',
      providerMetadata: { google: { signature: 's' } },
    } as const;
    const model = scripted([{ content: [signed, call('c1', 'give')] }, 'Done.']);
    const { agent } = await startAgent([Values], { model });
    const { messages } = await agent.run('Go.');
    expect(messages[0]).toEqual(assistant(signed, call('c1', 'give')));
    expectSendable(messages);
  });

  it('have no message for a turn that only reasoned and was cut off', async () => {
    const model = scripted([
      { content: [{ type: 'reasoning', text: 'Hm' }], finishReason: 'length' },
    ]);
    const { agent } = await startAgent([Values], { model });
    expect(await agent.run('Go.')).toMatchObject({
      finishReason: 'length',
      messages: [],
      text: '',
    });
  });

  it('are each added once when a conversation goes on over several runs', async () => {
    const round = [{ tool: 'give' }, { tool: 'give' }, { tool: 'give' }, 'Done.'];
    const model = scripted([...round, ...round]);
    const { agent } = await startAgent([Values], { model });
    const first: ChatMessage[] = [user('One.')];
    first.push(...(await agent.run(first)).messages);
    const second: ChatMessage[] = [...first, user('Two.')];
    second.push(...(await agent.run(second)).messages);
    expect(second).toHaveLength(16);
    expect(callsOf(second)).toHaveLength(6);
    expectSendable(second);
  });

  it('give ids of their own to calls whose ids came before, in the run or in the history', async () => {
    const same = { tool: 'give', id: 'call_0' };
    const model = scripted([same, same, { tool: 'give', id: '' }, 'Done.']);
    const { agent } = await startAgent([Values], { model });
    const history = [
      user('a'),
      assistant(call('call_0', 'give')),
      toolMessage(result('call_0', 'x', 'give')),
      user('b'),
    ];
    const { messages } = await agent.run(history);
    expect(callsOf(messages)).toHaveLength(3);
    expectSendable([...history, ...messages]);
  });

  it('end with no call that has no result if the run is aborted while the model writes the call', async () => {
    const stopped = new AbortController();
    const model = streaming(async function* (_request, { signal }) {
      yield text('Let me see.');
      yield { type: 'tool-call', index: 0, id: 'c1', name: 'give', arguments: '{' };
      stopped.abort();
      signal?.throwIfAborted();
    });
    const { agent } = await startAgent([Values], { model });
    const { messages, status } = await agent.stream('Go.', { signal: stopped.signal }).result;
    expect(status).toBe('aborted');
    expect(callsOf(messages)).toEqual([]);
    expectSendable(messages);
  });

  it.each(['tool-call', 'tool-progress', 'tool-result'] as const)(
    'close every call if the consumer leaves at the event %s',
    async (type) => {
      const model = scripted([
        [{ tool: 'endless' }, { tool: 'report' }, { tool: 'nope' }],
        'Never.',
      ]);
      const { agent } = await startAgent([Values], { model });
      const stream = agent.stream('Go.');
      await leaveAt(stream, type);
      const { messages, steps, status } = await stream.result;
      expect(status).toBe('aborted');
      expect(callsOf(messages)).toHaveLength(3);
      expect(resultsOf(messages)[0]).toMatchObject({ name: 'endless', status: 'interrupted' });
      expect(steps).toHaveLength(1);
      expectSendable(messages);
      expect(model.requests).toHaveLength(1);
    },
  );

  it('do not change when the application changes the list that it passed', async () => {
    const asked: ChatRequest[] = [];
    const input: ChatMessage[] = [user('One.')];
    const model = scripted([
      (request) => {
        asked.push(request);
        input.push(user('Later.'));
        return { tool: 'give' };
      },
      'Done.',
    ]);
    const { agent } = await startAgent([Values], { model });
    const { messages } = await agent.run(input);
    expect(model.requests[1].messages).toEqual([user('One.'), ...messages.slice(0, 2)]);
    expect(input).toHaveLength(2);
  });

  it('never touch the list or the messages that the application passed', async () => {
    const input = [
      user('a'),
      assistant(call('c1', 'give'), { type: 'text', text: 'Let me see.' }),
      user('b'),
    ];
    const frozen = deepFreeze(input);
    const before = JSON.stringify(input);
    const { agent } = await startAgent([Values], { model: scripted([{ tool: 'give' }, 'Done.']) });
    expect((await agent.run(frozen)).status).toBe('completed');
    expect(JSON.stringify(input)).toBe(before);
  });
});

describe('a stored conversation', () => {
  /** What is sent for the history; repaired twice, it must stay the same to the byte. */
  async function sent(history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> {
    const model = scripted(['Done.']);
    const { agent } = await startAgent([Values], { model });
    await agent.run(history);
    const [{ messages }] = model.requests;
    expectSendable(messages);
    expect(JSON.stringify(repairHistory(messages))).toBe(JSON.stringify(messages));
    return messages;
  }

  it('gets a result, marked as interrupted, for a call that was never answered', async () => {
    const messages = await sent([
      user('a'),
      assistant(call('c1'), call('c2')),
      toolMessage(result('c1')),
      user('b'),
    ]);
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      {
        role: 'tool',
        content: [
          { callId: 'c1', status: 'success' },
          { callId: 'c2', status: 'interrupted' },
        ],
      },
      { role: 'user', content: 'b' },
    ]);
  });

  it('keeps the reasoning of an unanswered call, with the call and a result', async () => {
    const messages = await sent([
      user('a'),
      assistant({ type: 'reasoning', text: 'Hm.' }, call('c1')),
      user('b'),
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('loses a message that is only reasoning, and one that is empty or blank', async () => {
    const messages = await sent([
      user('a'),
      assistant({ type: 'reasoning', text: 'Hm.' }),
      assistant({ type: 'text', text: ' \n' }),
      assistant(),
      user('b'),
    ]);
    expect(messages).toEqual([user('a'), user('b')]);
  });

  it('takes a call without arguments for one with none', async () => {
    const { arguments: _left, ...bare } = call('c1');
    const messages = await sent([
      user('a'),
      assistant(bare as ReturnType<typeof call>),
      toolMessage(result('c1')),
      user('b'),
    ]);
    expect(callsOf(messages)).toEqual([call('c1')]);
  });

  it('has a call once that was stored twice, whichever copy has the result', async () => {
    const copies = [
      user('a'),
      assistant(call('c1')),
      assistant(call('c1')),
      toolMessage(result('c1')),
    ];
    expect(await sent(copies)).toEqual([
      user('a'),
      assistant(call('c1')),
      toolMessage(result('c1')),
    ]);
    const early = [
      user('a'),
      assistant(call('c1')),
      toolMessage(result('c1')),
      assistant(call('c1')),
      user('b'),
    ];
    expect(callsOf(await sent(early))).toHaveLength(1);
  });

  it('pairs reused ids by their order, and never gives a call the result of another', () => {
    const again = [
      user('a'),
      assistant(call('call_0', 'find', '{"q":1}')),
      toolMessage(result('call_0', 'one')),
      assistant(call('call_0', 'find', '{"q":2}')),
      toolMessage(result('call_0', 'two')),
    ];
    expect(repairHistory(again)).toEqual(again);
    const interrupted = again.toSpliced(2, 1);
    expect(resultsOf(repairHistory(interrupted))).toMatchObject([
      { status: 'interrupted' },
      { content: 'two' },
    ]);
  });

  it('pairs two calls with one id in one message in their order', () => {
    const twins = [
      assistant(call('c1', 'find', '{"q":1}'), call('c1', 'find', '{"q":2}')),
      toolMessage(result('c1', 'one'), result('c1', 'two')),
    ];
    expect(repairHistory(twins)).toEqual(twins);
  });

  it('loses results that belong to no call', async () => {
    const messages = await sent([
      toolMessage(result('c0')),
      user('a'),
      toolMessage(result('c1')),
      user('b'),
    ]);
    expect(messages).toEqual([user('a'), user('b')]);
  });

  it('gets one message of results after each message of calls, however they were stored', async () => {
    const messages = await sent([
      user('a'),
      assistant(call('c1'), call('c2')),
      toolMessage(result('c2', 'two')),
      user('b'),
      toolMessage(result('c1', 'one')),
    ]);
    expect(resultsOf(messages).map(({ content }) => content)).toEqual(['one', 'two']);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('is repaired in linear time', () => {
    const history = Array.from({ length: 30_000 }, (_, index) => [
      assistant(call('same', 'find', `{"n":${index}}`)),
      toolMessage(result('same', `${index}`)),
    ]).flat();
    const started = performance.now();
    expect(repairHistory(history)).toHaveLength(history.length);
    // Some 50 ms; copying a list for each call takes more than 10 seconds.
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
