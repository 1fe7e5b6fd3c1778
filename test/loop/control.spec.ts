/**
 * What the loop does with a turn of the model: faults 75 to 83 of public agent loops. (83 for calls
 * that are written as text: `text-tool-calls.spec.ts`.)
 */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  AgentRunException,
  Tool,
  ToolParam,
  type AgentService,
  type ChatModel,
  type FinishReason,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { only, readAll, streamedText } from './support/events.js';
import { assistant, call, callsOf, expectSendable, resultsOf } from './support/messages.js';
import { generating } from './support/models.js';
import { sleep } from './support/time.js';

const runs: string[] = [];

@Injectable()
class Shop {
  @Tool('Finds.')
  find() {
    runs.push('find');
    return 'found';
  }

  @Tool('Price.')
  price(@ToolParam('kilos') kilos: number) {
    runs.push(`price ${kilos}`);
    return kilos;
  }
}

async function agentFor(model: ChatModel): Promise<AgentService> {
  runs.length = 0;
  return (await startAgent([Shop], { model })).agent;
}

async function failure(running: Promise<unknown>): Promise<AgentRunException> {
  const error: unknown = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AgentRunException);
  return error as AgentRunException;
}

describe('whether there are calls', () => {
  it('is decided by the calls: they run although the finish reason is "stop"', async () => {
    const model = scripted([{ calls: [{ tool: 'find' }], finishReason: 'stop' }, 'Here.']);
    const agent = await agentFor(model);
    expect(await agent.run('Go.')).toMatchObject({ status: 'completed', text: 'Here.' });
    expect(runs).toEqual(['find']);
  });

  it('is decided by the calls: "tool-calls" without any is the end if there is text', async () => {
    const model = scripted([{ text: 'Here.', finishReason: 'tool-calls' }]);
    const result = await (await agentFor(model)).run('Go.');
    expect(result).toMatchObject({ status: 'completed', text: 'Here.' });
    model.assertComplete();
  });

  it('is decided by the calls: "tool-calls" with neither calls nor text does not go on for ever', async () => {
    const nothing = { text: '', finishReason: 'tool-calls' } as const;
    const model = scripted([nothing, nothing, nothing, nothing]);
    await failure((await agentFor(model)).run('Go.'));
    expect(model.requests).toHaveLength(2);
  });
});

describe('whether it is safe to run calls', () => {
  it.each<[FinishReason, string]>([
    ['length', 'cut off at its length limit'],
    ['content-filter', 'ended with "content-filter"'],
    ['error', 'ended with "error"'],
    ['other', 'ended with "other"'],
  ])('is decided by the finish reason: not with "%s"', async (finishReason, told) => {
    const model = scripted([{ calls: [{ tool: 'find' }], finishReason }, 'Here.']);
    const agent = await agentFor(model);
    const messages = await agent.run('Go.').then(
      (result) => result.messages,
      (error: AgentRunException) => error.partial.messages,
    );
    expect(runs).toEqual([]);
    expect(resultsOf(messages)).toMatchObject([{ status: 'error' }]);
    expect(resultsOf(messages)[0].content).toContain(told);
    expectSendable(messages);
  });

  it('lets the model call again after it was cut off', async () => {
    const model = scripted([
      { calls: [{ tool: 'price', arguments: '{"kilos": 1' }], finishReason: 'length' },
      { tool: 'price', arguments: { kilos: 12 } },
      'Here.',
    ]);
    expect((await (await agentFor(model)).run('Go.')).status).toBe('completed');
    expect(runs).toEqual(['price 12']);
  });

  it('ends the run after a filter, and fails it after an error', async () => {
    const filtered = scripted([{ calls: [{ tool: 'find' }], finishReason: 'content-filter' }]);
    expect(await (await agentFor(filtered)).run('Go.')).toMatchObject({
      status: 'completed',
      finishReason: 'content-filter',
    });
    const broken = scripted([{ text: 'Half', finishReason: 'error' }]);
    const { message, partial } = await failure((await agentFor(broken)).run('Go.'));
    expect(message).toContain('ended its turn with an error');
    expect(partial.text).toBe('Half');
  });

  it('does not matter for a text that was cut off: it is the answer, with its reason', async () => {
    const model = scripted([{ text: 'Half an ans', finishReason: 'length' }]);
    expect(await (await agentFor(model)).run('Go.')).toMatchObject({
      status: 'completed',
      text: 'Half an ans',
      finishReason: 'length',
    });
  });
});

describe('a stream that ends without a finish', () => {
  const cut = { deltas: [{ type: 'text', text: 'Half an' } as const] };

  it('is a failure, and the text up to there is kept', async () => {
    const agent = await agentFor(scripted([cut]));
    const { events, error } = await readAll(agent.stream('Go.'));
    expect(error).toBeInstanceOf(AgentRunException);
    expect((error as AgentRunException).partial.text).toBe('Half an');
    expect((error as AgentRunException).message).toContain('without a finish');
    expect(events.at(-1)).toMatchObject({ type: 'run-failed', error });
  });

  it('runs none of its calls, complete as they look', async () => {
    const agent = await agentFor(
      scripted([{ deltas: [{ type: 'tool-call', id: 'c1', name: 'find', arguments: '{}' }] }]),
    );
    const { events } = await readAll(agent.stream('Go.'));
    expect(runs).toEqual([]);
    expect(only(events, 'tool-call')).toEqual([]);
  });

  it('keeps what the steps before it did', async () => {
    const agent = await agentFor(scripted([{ tool: 'find' }, cut]));
    const { partial } = await failure(agent.stream('Go.').result);
    expect(partial.steps).toHaveLength(1);
    expect(callsOf(partial.messages)).toHaveLength(1);
    expectSendable(partial.messages);
  });

  it('is not asked for again by the loop: what was streamed may have been seen', async () => {
    const model = scripted([cut, 'Second.']);
    await failure((await agentFor(model)).stream('Go.').result);
    expect(model.requests).toHaveLength(1);
  });
});

describe('a choice of tools for the run', () => {
  it.each([{ toolChoice: 'required' as const }, { toolChoice: { tool: 'find' } }])(
    'holds for the first turn only: %p',
    async ({ toolChoice }) => {
      const model = scripted([{ tool: 'find' }, { tool: 'find' }, 'Here.']);
      await (await agentFor(model)).run('Go.', { toolChoice });
      expect(model.requests.map((request) => request.toolChoice)).toEqual([
        toolChoice,
        'auto',
        'auto',
      ]);
    },
  );

  it('is not sent if there are no tools', async () => {
    const model = scripted(['Here.']);
    const { agent } = await startAgent([], { model });
    await agent.run('Go.', { toolChoice: 'required' });
    expect(model.requests[0]).toMatchObject({ tools: [], toolChoice: undefined });
  });
});

describe('the calls of one turn', () => {
  const trace: string[] = [];
  const traced = async (name: string) => {
    trace.push(`${name} begins`);
    await sleep(2);
    trace.push(`${name} ends`);
  };

  @Injectable()
  class Traced {
    @Tool('Beside others.')
    together() {
      return traced('together');
    }

    @Tool({ description: 'Alone.', parallel: false })
    alone() {
      return traced('alone');
    }
  }

  it('run together, but for one that must be alone: it waits, and the next wait for it', async () => {
    const names = ['together', 'together', 'alone', 'alone', 'together', 'together'];
    const turn = names.map((tool) => ({ tool }));
    const model = scripted([turn, 'Done.']);
    const { agent } = await startAgent([Traced], { model });
    const { messages } = await agent.run('Go.');
    const pair = ['together begins', 'together begins', 'together ends', 'together ends'];
    const single = ['alone begins', 'alone ends'];
    expect(trace).toEqual([...pair, ...single, ...single, ...pair]);
    expect(resultsOf(messages).map(({ name }) => name)).toEqual(names);
  });
});

describe('text beside calls', () => {
  it('is not the answer while there are calls', async () => {
    const model = scripted([{ text: 'Let me look.', calls: [{ tool: 'find' }] }, 'Here.']);
    const result = await (await agentFor(model)).run('Go.');
    expect(result.text).toBe('Here.');
    expect(result.messages[0]).toMatchObject({
      content: [{ text: 'Let me look.' }, { name: 'find' }],
    });
  });
});

describe('an answer without text or calls', () => {
  it.each([
    ['no parts', { content: [] }],
    ['blank text', { text: ' \n' }],
    ['reasoning only', { content: [{ type: 'reasoning', text: 'Hm.' } as const] }],
  ])(
    'is no answer: the model is asked once more, and older text is not used (%s)',
    async (_kind, turn) => {
      const model = scripted([{ text: 'Let me look.', calls: [{ tool: 'find' }] }, turn, 'Here.']);
      const result = await (await agentFor(model)).run('Go.');
      expect(result.text).toBe('Here.');
      expect(model.requests).toHaveLength(3);
      expect(model.requests[2].messages.at(-1)).toMatchObject({
        role: 'user',
        content: expect.stringContaining('empty'),
      });
    },
  );

  it('leaves no trace in the conversation, which the application may show', async () => {
    const model = scripted([{ text: '' }, { tool: 'find' }, 'Here.']);
    const { messages } = await (await agentFor(model)).run('Go.');
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(model.requests[2].messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expectSendable(messages);
  });

  it('fails the run the second time, with the name of the model', async () => {
    const model = scripted([{ text: '' }, { tool: 'find' }, { text: '' }, 'Never.']);
    const { message, partial } = await failure((await agentFor(model)).run('Go.'));
    expect(message).toContain('"scripted" answered nothing, twice');
    expect(partial.text).toBe('');
    expectSendable(partial.messages);
  });

  it('is the end if it was cut off or filtered, for asking again would not help', async () => {
    const model = scripted([{ text: '', finishReason: 'length' }]);
    expect(await (await agentFor(model)).run('Go.')).toMatchObject({
      text: '',
      finishReason: 'length',
      messages: [],
    });
  });
});

describe('several calls that are wrapped in one', () => {
  const uses = (...names: string[]) => ({
    tool_uses: names.map((name) => ({ recipient_name: name, parameters: { kilos: 3 } })),
  });

  it.each(['parallel', 'multi_tool_use.parallel', 'multi_tool_use_parallel'])(
    'run as if they had been called one by one: "%s"',
    async (tool) => {
      const model = scripted([{ tool, arguments: uses('functions.price', 'price') }, 'Here.']);
      const { messages } = await (await agentFor(model)).run('Go.');
      expect(runs).toEqual(['price 3', 'price 3']);
      expect(callsOf(messages).map(({ name }) => name)).toEqual(['price', 'price']);
      expectSendable(messages);
    },
  );

  it.each([
    ['one of them names no tool', uses('price', 'nope')],
    ['there are none', { tool_uses: [] }],
    ['they are no list', { tool_uses: 'price' }],
    ['they are nothing', { tool_uses: [null] }],
    ...['arguments', 'args', 'input', 'kilos'].map((key): [string, object] => [
      `one has more than its parameters: ${key}`,
      { tool_uses: [{ recipient_name: 'functions.find', [key]: { kilos: 3 } }] },
    ]),
  ])('are an unknown tool if %s', async (_kind, args) => {
    const model = scripted([{ tool: 'parallel', arguments: args }, 'Here.']);
    const { messages } = await (await agentFor(model)).run('Go.');
    expect(runs).toEqual([]);
    expect(resultsOf(messages)).toMatchObject([{ name: 'parallel', status: 'error' }]);
    expectSendable(messages);
  });

  it('are left alone if the application has a tool of that name', async () => {
    @Injectable()
    class Own {
      @Tool('Own.')
      parallel(@ToolParam('tool_uses', { schema: { type: 'array' } }) toolUses: unknown[]) {
        return `own with ${toolUses.length}`;
      }
    }
    runs.length = 0;
    const model = scripted([{ tool: 'parallel', arguments: uses('price') }, 'Here.']);
    const { agent } = await startAgent([Own, Shop], { model });
    expect(resultsOf((await agent.run('Go.')).messages)[0].content).toBe('own with 1');
    expect(runs).toEqual([]);
  });

  it('keep what the provider wants back, on the first of them', async () => {
    const providerMetadata = { google: { signature: 's' } };
    const wrapped = call('c1', 'parallel', JSON.stringify(uses('price', 'price')));
    const model = scripted([{ content: [{ ...wrapped, providerMetadata }] }, 'Here.']);
    const { messages } = await (await agentFor(model)).run('Go.');
    expect(callsOf(messages).map((part) => part.providerMetadata)).toEqual([
      providerMetadata,
      undefined,
    ]);
  });
});

describe('at the limit of steps', () => {
  const always = Array.from({ length: 5 }, () => ({ tool: 'find' }));

  it('there is one last turn with the tools listed and none to be called', async () => {
    const model = scripted([...always.slice(0, 2), 'What I know.']);
    const agent = await agentFor(model);
    const result = await agent.run('Go.', { limits: { steps: 2 } });
    expect(result).toMatchObject({
      status: 'limited',
      finishReason: 'step-limit',
      text: 'What I know.',
    });
    expect(result.steps).toHaveLength(2);
    expect(model.requests).toHaveLength(3);
    expect(model.requests[2].toolChoice).toBe('none');
    expect(model.requests[2].tools).toEqual(model.requests[0].tools);
    expect(model.requests[2].tools).toHaveLength(2);
  });

  it('calls that come all the same are dropped, and a fixed text is the answer', async () => {
    const agent = await agentFor(scripted(always));
    const result = await agent.run('Go.', { limits: { steps: 2 } });
    expect(runs).toHaveLength(2);
    expect(result.text).toBe('I could not finish this within 2 steps.');
    expect(callsOf(result.messages)).toHaveLength(2);
    expectSendable(result.messages);
  });

  it('text beside dropped calls is the answer', async () => {
    const agent = await agentFor(
      scripted([{ tool: 'find' }, { text: 'So far.', calls: [{ tool: 'find' }] }]),
    );
    const { text, messages } = await agent.run('Go.', { limits: { steps: 1 } });
    expect(text).toBe('So far.');
    expect(messages.at(-1)).toEqual(assistant({ type: 'text', text: 'So far.' }));
    expectSendable(messages);
  });

  it('the fixed text is streamed like any other', async () => {
    const agent = await agentFor(scripted(always));
    const { events } = await readAll(agent.stream('Go.', { limits: { steps: 1 } }));
    expect(streamedText(events)).toBe('I could not finish this within 1 step.');
  });

  it('a model error in the last turn is a failure like in any other', async () => {
    const agent = await agentFor(
      scripted([...always.slice(0, 1), { text: '', finishReason: 'error' }]),
    );
    const { partial } = await failure(agent.run('Go.', { limits: { steps: 1 } }));
    expect(partial.text).toBe('');
    expect(partial.steps).toHaveLength(1);
  });

  it('an answer without calls in the last step is complete, not limited', async () => {
    const agent = await agentFor(scripted([{ tool: 'find' }, 'Here.']));
    expect((await agent.run('Go.', { limits: { steps: 2 } })).status).toBe('completed');
  });
});

describe('a failure of the model', () => {
  it.each([
    ['an error', new Error('503 from the provider'), '503 from the provider'],
    ['a text', 'quota', 'quota'],
    ['nothing', undefined, 'unknown error'],
  ])('carries what was thrown as its cause: %s', async (_kind, error, text) => {
    const agent = await agentFor(scripted([{ tool: 'find' }, { error }]));
    const thrown = await failure(agent.run('Go.'));
    expect(thrown.cause).toBe(error);
    expect(thrown.message).toBe(`The agent run failed in step 2: ${text}`);
    expect(thrown.partial.steps).toHaveLength(1);
    expectSendable(thrown.partial.messages);
  });

  it('of a model that is itself an agent is told as the failure of the outer run', async () => {
    const inner = await agentFor(scripted([{ error: new Error('inner') }]));
    const outer = generating(async () => {
      const { text } = await inner.run('Go.');
      return { content: [{ type: 'text', text }], finishReason: 'stop' };
    });
    const { agent } = await startAgent([Shop], { model: outer });
    const thrown = await failure(agent.run('Go.'));
    expect(thrown.cause).toBeInstanceOf(AgentRunException);
    expect(thrown.partial.runId).not.toBe((thrown.cause as AgentRunException).partial.runId);
  });
});
