/** Runs of an agent whose model knows nothing of tool calls, and the options for it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, ToolParam, type ChatModel } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { withToolCalling } from '../../libs/agent-tools/src/models/prompt-calls/with-tool-calling.js';
import { startAgent } from '../loop/support/agent.js';
import { only, streamedText } from '../loop/support/events.js';
import { callsOf } from '../loop/support/messages.js';
import { runToEnd, streamToEnd } from '../loop/support/outcome.js';
import { BLOCK, CALL, prompted, REQUEST } from './prompt-calls.support.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

@Injectable()
class Tools {
  @Tool('Finds.')
  find(@ToolParam('q') q: string) {
    return `found ${q}`;
  }

  @Tool('The time.')
  now() {
    return '12:00';
  }
}

describe('an agent with `toolCalling: prompt`', () => {
  const TURNS = [
    `Thought: I must look.\nAction: find\nAction Input: {"q": "x"}\nObservation: made up`,
    `Now the time. ${BLOCK}\n<tool_call>{"name": "now", "arguments": {}}</tool_call>`,
    'Thought: I know it.\nFinal Answer: It is x, at noon.',
  ];

  it('runs the calls, tells the results and shows no markup', async () => {
    const { agent } = await startAgent([Tools], { instructions: 'Be kind.' });
    const [first, second] = [scripted(TURNS), scripted(TURNS)];
    const ran = await runToEnd(agent, { model: prompted(first) });
    const watched = await streamToEnd(agent, { model: prompted(second) });
    for (const { status, text, steps, messages } of [ran, watched]) {
      expect([status, text]).toEqual(['completed', 'It is x, at noon.']);
      expect(steps.flatMap(({ toolResults }) => toolResults)).toMatchObject([
        { status: 'success', content: 'found x' },
        { status: 'success', content: 'found x' },
        { status: 'success', content: '12:00' },
      ]);
      expect(callsOf(messages).map(({ name }) => name)).toEqual(['find', 'find', 'now']);
    }
    expect(streamedText(watched.events)).toBe('Now the time. It is x, at noon.');
    expect(
      only(watched.events, 'reasoning-delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('I must look.I know it.');
    for (const { requests } of [first, second]) {
      expect(requests.map(({ tools, toolChoice }) => [tools, toolChoice])).toEqual(
        TURNS.map(() => [undefined, undefined]),
      );
      const { messages } = requests[2];
      expect(messages[0].content).toMatch(/^Be kind\.\n\n# Tools/);
      expect(messages.map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
      ]);
      expect(messages[5].content).toContain('12:00\n</tool_response>');
    }
  });

  it('tells the model of broken arguments, and repairs what is in no doubt', async () => {
    const turns = [
      '<tool_call>{"name": "find", "arguments": {"q": "x",}}</tool_call>',
      'Action: find\nAction Input: what is x?',
      'So.',
    ];
    const { agent } = await startAgent([Tools]);
    const { steps } = await runToEnd(agent, { model: prompted(scripted(turns)) });
    expect(steps.flatMap(({ toolResults }) => toolResults)).toMatchObject([
      { status: 'success', content: 'found x' },
      { status: 'error' },
    ]);
  });

  it('runs no call of an answer that was cut off', async () => {
    const cut = {
      text: '<tool_call>{"name": "find", "arguments": {"q": "x"',
      finishReason: 'length',
    };
    const { agent } = await startAgent([Tools]);
    const model = prompted(scripted([cut as { text: string; finishReason: 'length' }, 'So.']));
    const { steps } = await runToEnd(agent, { model });
    const results = steps.flatMap(({ toolResults }) => toolResults);
    expect(results.filter(({ status }) => status === 'success')).toEqual([]);
  });
});

describe('withToolCalling()', () => {
  it('is the model itself by default', () => {
    const model = scripted([]);
    expect(withToolCalling(model)).toBe(model);
    expect(withToolCalling(model, { toolCalling: 'native', salvage: false })).toBe(model);
  });

  it('leaves markup alone with native calls, unless it is to salvage them', async () => {
    const ask = (options?: Parameters<typeof withToolCalling>[1]) =>
      withToolCalling(scripted([CALL]), options).generate(REQUEST, {});
    expect((await ask()).content).toEqual([{ type: 'text', text: CALL }]);
    expect((await ask({ salvage: true })).content).toMatchObject([{ type: 'tool-call' }]);
    expect((await ask({ toolCalling: 'prompt', salvage: true })).content).toMatchObject([
      { type: 'tool-call', name: 'find' },
    ]);
  });

  it('salvages no ReAct lines, which may be text', async () => {
    const written = 'Action: find\nAction Input: {"q": "x"}';
    const model = withToolCalling(scripted([written]), { salvage: true });
    expect((await model.generate(REQUEST, {})).content).toEqual([{ type: 'text', text: written }]);
  });

  it('has the name of the model, and no strict tools with prompts', () => {
    const model = Object.assign(scripted([]), {
      toolSchemas: { plain: fail, strict: fail },
    }) as ChatModel;
    const wrapped = withToolCalling(model, { toolCalling: 'prompt' });
    expect(wrapped.name).toBe('scripted');
    expect(wrapped.toolSchemas?.strict).toBeUndefined();
    const schema = { type: 'object', properties: {} } as const;
    expect(wrapped.toolSchemas?.plain(schema)).toMatchObject({ schema, losses: [] });
    expect(withToolCalling(model, { salvage: true }).toolSchemas).toBe(model.toolSchemas);
  });

  it('refuses another word, and what is no model', () => {
    const word = { toolCalling: 'react' } as unknown as { toolCalling: 'prompt' };
    expect(() => withToolCalling(scripted([]), word)).toThrow(
      `The model "scripted" has \`toolCalling: "react"\`. Use 'native' or 'prompt'.`,
    );
    expect(() => withToolCalling(undefined as unknown as ChatModel)).toThrow(TypeError);
  });
});

function fail(): never {
  throw new Error('Not to be asked.');
}
