/** Where systems of tools go wrong silently, and what happens here instead: streams and messages. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  CurrentToolCall,
  Tool,
  tool,
  ToolParam,
  ToolSignal,
  type AgentEvent,
  type ChatMessage,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { leaveAt, only, readAll } from '../loop/support/events.js';
import { assistant, call, result, toolMessage, user } from '../loop/support/messages.js';
import { gate, idle } from '../loop/support/time.js';
import { readings, recorded, start } from './support/start.js';

@Injectable()
class MeetTools {
  private readonly door = gate();
  private count = 0;

  @Tool('Reports, and waits until three others have.')
  async meet(@ToolParam('n') n: number, @CurrentToolCall() own: ToolCall) {
    own.progress(`${n} begins`);
    if (++this.count === 4) this.door.open();
    await this.door.opened;
    await idle();
    own.progress(`${n} ends`);
    return n;
  }
}

describe('the progress of calls of one tool that run at the same time', () => {
  it('reaches each the reader of its own run, under its own call', async () => {
    const { agent } = await start({ providers: [MeetTools] });
    const meet = (n: number) => ({ id: `call_${n}`, tool: 'meet', arguments: { n } });
    const read = (first: number, second: number) =>
      readAll(agent.stream('Go.', { model: scripted([[meet(first), meet(second)], 'Done.']) }));
    const streams = await Promise.all([read(1, 2), read(3, 4)]);
    const progress = streams.map(({ events }) =>
      only(events, 'tool-progress').map(({ callId, value }) => `${callId}: ${String(value)}`),
    );
    expect(progress.map((lines) => lines.toSorted())).toEqual([
      ['call_1: 1 begins', 'call_1: 1 ends', 'call_2: 2 begins', 'call_2: 2 ends'],
      ['call_3: 3 begins', 'call_3: 3 ends', 'call_4: 4 begins', 'call_4: 4 ends'],
    ]);
  });
});

@Injectable()
class CountTools {
  closed = 0;

  @Tool('Counts to three.')
  async *count(@ToolSignal() _signal: AbortSignal) {
    try {
      for (const n of [1, 2, 3]) {
        yield n;
        await idle();
      }
    } finally {
      this.closed++;
    }
  }
}

const SCRIPT: ScriptedTurn[] = [
  {
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Counting.' },
      { type: 'tool-call', id: 'call_1', name: 'count', arguments: '{}' },
    ],
  },
  'Done.',
];

describe('a consumer that stops early', () => {
  it.each<[AgentEvent['type'], boolean]>([
    ['run-started', false],
    ['step-started', false],
    ['reasoning-delta', false],
    ['text-delta', false],
    ['tool-call', false],
    ['tool-progress', true],
    ['tool-result', true],
    ['step-finished', true],
  ])('at %s: the run has exactly one end, and so has each call', async (type, hasBegun) => {
    const started = await start({ providers: [CountTools] });
    const events = recorded(started);
    const stream = started.agent.stream('Go.', { model: scripted(SCRIPT) });
    await leaveAt(stream, type);
    const { status } = await stream.result;
    for (let turn = 0; turn < 5; turn++) await idle();
    expect(status).toBe('aborted');
    const ends = events.filter(({ type: each }) => /^run-(finished|failed)$/.test(each));
    expect(ends).toMatchObject([{ type: 'run-finished', status: 'aborted' }]);
    expect(events.at(-1)).toBe(ends[0]);
    const count = (pattern: RegExp) => events.filter(({ type: each }) => pattern.test(each)).length;
    expect(count(/^tool-(finished|failed)$/)).toBe(count(/^tool-arguments-received$/));
    expect(count(/^tool-arguments-received$/)).toBeGreaterThanOrEqual(hasBegun ? 1 : 0);
    expect(started.app.get(CountTools).closed).toBe(count(/^tool-stream-started$/));
  });

  it('of a call without an agent: the call has exactly one end', async () => {
    const started = await start({ providers: [CountTools] });
    const events = recorded(started);
    const controller = new AbortController();
    started.events.subscribe(({ type }) => {
      if (type === 'tool-progress') controller.abort();
    });
    const { status } = await started.call('count', {}, { signal: controller.signal });
    await idle();
    expect(status).toBe('interrupted');
    expect(started.app.get(CountTools).closed).toBe(1);
    const ends = events.filter(({ type }) => /^tool-(finished|failed)$/.test(type));
    expect(ends).toMatchObject([{ type: 'tool-failed', result: { status: 'interrupted' } }]);
    expect(events.at(-1)).toBe(ends[0]);
  });
});

describe('the values of a tool', () => {
  const types = (events: readonly { type: string }[]) =>
    events.map(({ type }) => type).filter((type) => type.startsWith('tool-stream-'));

  it('have an end when they are read to it', async () => {
    const started = await start({ providers: [CountTools] });
    const events = recorded(started);
    await started.call('count');
    expect(types(events)).toEqual(['tool-stream-started', 'tool-stream-ended']);
  });

  it('have an end when there are no more because of an error', async () => {
    const broken = tool({ name: 'broken', description: 'Breaks.' }, function* () {
      yield 1;
      throw new Error('no more');
    });
    const started = await start({ tools: [broken] });
    const events = recorded(started);
    expect((await started.call('broken')).status).toBe('error');
    expect(types(events)).toEqual(['tool-stream-started', 'tool-stream-ended']);
  });

  it('have an end when their reader leaves', async () => {
    const started = await start({ providers: [CountTools] });
    const events = recorded(started);
    const stream = started.agent.stream('Go.', { model: scripted(SCRIPT) });
    await leaveAt(stream, 'tool-progress');
    await idle();
    expect(started.app.get(CountTools).closed).toBe(1);
    expect(types(events)).toEqual(['tool-stream-started', 'tool-stream-ended']);
  });
});

const find = tool({ name: 'find', description: 'Finds.' }, () => 'found');

describe('the messages of a run', () => {
  it('have those of the model with its calls before the results, also in its next request', async () => {
    const { run } = await start({ tools: [find] });
    const { result: ended, model } = await run([
      { text: 'I look.', calls: [{ id: 'call_a', tool: 'find' }] },
      [
        { id: 'call_b', tool: 'find' },
        { id: 'call_c', tool: 'lose' },
      ],
      'Done.',
    ]);
    const told = [
      assistant({ type: 'text', text: 'I look.' }, call('call_a')),
      toolMessage(result('call_a')),
      assistant(call('call_b'), call('call_c', 'lose')),
      toolMessage(result('call_b'), {
        ...result('call_c', 'There is no tool "lose". The tools are: find.', 'lose'),
        status: 'error',
      }),
    ];
    expect(model.requests.map(({ messages }) => messages)).toEqual([
      [user('Go.')],
      [user('Go.'), ...told.slice(0, 2)],
      [user('Go.'), ...told],
    ]);
    expect(ended.messages).toEqual([...told, assistant({ type: 'text', text: 'Done.' })]);
  });

  it('have nothing but text and parts for results, whatever a tool returns', async () => {
    const values = [{ a: 1 }, [1], 5, true, null, undefined, new Map(), new Date(0)];
    const give = tool({ name: 'give', description: 'Gives.' }, () => values.shift());
    const { step } = await start({ tools: [give] });
    const { model } = await step(values.map(() => ({ tool: 'give' })));
    const texts = readings(model);
    expect(texts).toHaveLength(8);
    for (const text of texts) expect(typeof text).toBe('string');
  });

  it('may come from a conversation that was cut: no result is sent without its call', async () => {
    const conversation: ChatMessage[] = [
      user('Find a.'),
      assistant(call('call_a')),
      toolMessage(result('call_a')),
      user('Find b.'),
      assistant(call('call_b')),
      toolMessage(result('call_b')),
      user('And now?'),
    ];
    const { agent } = await start({ tools: [find] });
    for (let kept = 1; kept <= conversation.length; kept++) {
      const model = scripted(['Done.']);
      await agent.run(conversation.slice(-kept), { model });
      const [{ messages }] = model.requests;
      const calls = messages.flatMap(({ role, content }) =>
        role === 'assistant' ? content.flatMap((part) => ('id' in part ? [part.id] : [])) : [],
      );
      const results = messages.flatMap(({ role, content }) =>
        role === 'tool' ? content.map(({ callId }) => callId) : [],
      );
      expect(results).toEqual(calls);
      expect(messages.at(-1)).toEqual(user('And now?'));
    }
  });
});
