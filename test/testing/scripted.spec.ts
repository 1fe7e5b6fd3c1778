import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentService, AgentToolsModule, Tool } from 'nestjs-agent-tools';
import { callTool, exerciseAll, scripted } from 'nestjs-agent-tools/testing';
import { collect, failure } from '../models/test-server.js';

@Injectable()
class Orders {
  @Tool('Finds all orders.')
  findOrders() {
    return 'A-1';
  }

  @Tool({ description: 'Has a name that models do not take.', name: 'orders/count' })
  count() {
    return 1;
  }
}

const started: TestingModule[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

async function start(): Promise<TestingModule> {
  const app = await Test.createTestingModule({
    imports: [AgentToolsModule.forRoot({})],
    providers: [Orders],
  }).compile();
  started.push(app);
  return app.init();
}

const REQUEST = { messages: [{ role: 'user', content: 'Hi' }] } as const;

describe('scripted()', () => {
  it('needs a list of turns', () => {
    expect(() => scripted('Hi' as never)).toThrow("scripted() needs a list of turns: scripted(['");
    expect(() => scripted(undefined as never)).toThrow(TypeError);
  });

  it.each<[unknown, string]>([
    [null, 'is nothing. A turn is a text, a call { tool, arguments }, a list'],
    [5, 'is 5. A turn is'],
    [{}, 'is an object that says nothing.'],
    [{ name: 'findOrder', arguments: {} }, 'has `name`: write `tool`.'],
    [{ toolName: 'f', input: {} }, 'has `toolName`: write `tool`; `input`: write `arguments`.'],
    [{ tool: 'f', args: {} }, 'has `args`: write `arguments`.'],
    [{ tool: 'f', tool_call_id: 'c' }, 'has `tool_call_id`: write `id`.'],
    [
      { tool: 'f', argument: {} },
      'has no option `argument` (did you mean `arguments`?). A turn is',
    ],
    [{ tool: 'f', text: 'Hi' }, 'has no option `text`. A turn is'],
    [{ tool: 5 }, 'must have as `tool` the name of a tool.'],
    [{ tool: 'f', id: 5 }, 'must have as `id` a text.'],
    [{ arguments: {} }, 'must have as `tool` the name of a tool.'],
    [{ text: 'Hi', toolCalls: [] }, 'has `toolCalls`: write `calls`.'],
    [{ text: 'Hi', tool_calls: [] }, 'has `tool_calls`: write `calls`.'],
    [{ role: 'assistant', content: 'Hi' }, 'has `role`: leave it out.'],
    [{ content: 'Hi' }, 'must have as `content` a list of parts; a text is `text`.'],
    [{ content: ['Hi'] }, 'must have as `content` a list of parts; a text is `text`.'],
    [{ text: 5 }, 'must have as `text` a text.'],
    [{ txt: 'Hi' }, 'has no option `txt` (did you mean `text`?).'],
    [{ calls: { tool: 'f' } }, 'must have as `calls` a list of calls.'],
    [{ deltas: 'Hi' }, 'must have as `deltas` a list'],
    [{ text: 'Hi', finishReason: 1 }, 'must have as `finishReason` a text'],
    [{ text: 'Hi', usage: 3 }, 'must have as `usage` an object.'],
    [
      Promise.resolve('Hi'),
      'is a promise or a stream, which only the function of fromFunction() may',
    ],
  ])(
    'refuses a turn that is none when it is made, or when a function gives it: %j',
    async (turn, text) => {
      expect(() => scripted(['Hi', turn as string])).toThrow(TypeError);
      expect(() => scripted(['Hi', turn as string])).toThrow(
        `The turn at index 1 of scripted() ${text}`,
      );
      const model = scripted([() => turn as string]);
      const result = `The result of the turn at index 0 of scripted() ${text}`;
      for (const asked of [
        model.generate(REQUEST),
        collect(scripted([() => turn as string]).stream(REQUEST)),
      ]) {
        const error = await failure(asked);
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toContain(result);
      }
    },
  );

  it.each<[unknown, string]>([
    [['Hi'], 'The call at index 0 of the turn at index 0 of scripted() is a text. A call is {'],
    [
      [{ tool: 'f' }, { name: 'g' }],
      'The call at index 1 of the turn at index 0 of scripted() has `name`',
    ],
    [{ calls: [null] }, 'The call at index 0 of the turn at index 0 of scripted() is nothing.'],
  ])('refuses a call that is none: %j', (turn, text) => {
    expect(() => scripted([turn as string])).toThrow(text);
  });

  it('takes every form of a turn', async () => {
    const part = { type: 'text', text: 'Hi' } as const;
    const error = new Error('Down.');
    const model = scripted([
      '',
      [],
      { tool: 'f', arguments: undefined },
      { text: 'Hi', calls: [{ tool: 'f', id: 'a' }], finishReason: undefined },
      {
        content: [part],
        finishReason: 'length',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      },
      { deltas: [part, { type: 'finish', reason: 'stop' }] },
      () => () => [{ tool: 'f', arguments: '{' }],
    ]);
    const reasons: string[] = [];
    for (let turn = 0; turn < 7; turn++) reasons.push((await model.generate(REQUEST)).finishReason);
    expect(reasons.join()).toBe('stop,stop,tool-calls,tool-calls,length,stop,tool-calls');
    expect(await failure(scripted([{ error }]).generate(REQUEST))).toBe(error);
    expect(() => scripted([{ error: undefined }])).not.toThrow();
  });

  it('counts the turns that were not asked for', async () => {
    const model = scripted(['Hi', 'Ho']);
    expect(() => model.assertComplete()).toThrow('2 of 2 turns were not asked for.');
    await model.generate(REQUEST);
    expect(() => model.assertComplete()).toThrow('1 of 2 turns was not asked for.');
    await model.generate(REQUEST);
    expect(() => model.assertComplete()).not.toThrow();
  });

  it('says which turn the script lacks', async () => {
    const model = scripted(['Hi']);
    await model.generate(REQUEST);
    const { message } = await failure(model.generate(REQUEST));
    expect(message).toContain('The script has 1 turn, but the model was asked for turn 2.');
  });
});

describe('callTool()', () => {
  it('calls a tool by its own name and by the one that models use', async () => {
    const app = await start();
    expect(await callTool(app, 'orders/count', {})).toMatchObject({ status: 'success' });
    expect(await callTool(app, 'orders_count', {})).toMatchObject({ status: 'success' });
  });

  it('gives an error for a tool that there is not, as a model is told', async () => {
    const { status, content } = await callTool(await start(), 'findOrder', {});
    expect(status).toBe('error');
    expect(content).toContain('findOrders');
  });
});

describe('exerciseAll()', () => {
  it('refuses options that there are not', () => {
    expect(() => exerciseAll({ onebyone: true } as object)).toThrow(
      'exerciseAll() has no option `onebyone` (did you mean `oneByOne`?). There are: `optional`, `oneByOne`',
    );
    expect(() => exerciseAll('findOrders' as never)).toThrow(
      'The options of exerciseAll() are an object',
    );
    for (const given of ['x', [{}], null]) {
      expect(() => exerciseAll({ arguments: given as never })).toThrow(
        'exerciseAll({ arguments }) needs an object',
      );
    }
    expect(() => exerciseAll({ arguments: undefined })).not.toThrow();
  });

  it('refuses arguments for a tool that the run does not have', async () => {
    const agent = (await start()).get(AgentService);
    const model = exerciseAll({ arguments: { findOrder: {}, findOrders: {} } });
    await expect(agent.run('Go', { model })).rejects.toThrow(
      'exerciseAll({ arguments }) has arguments for findOrder, but the tools of the run are: ' +
        'findOrders, orders_count.',
    );
  });
});
