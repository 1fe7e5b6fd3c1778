/** A request in which no tool may be called, to models that write calls as text. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, withToolCalling, type ChatModel, type ChatRequest } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';
import { runToEnd, streamToEnd } from '../loop/support/outcome.js';
import { BLOCK, CALL, prompted, read, REQUEST, said } from './prompt-calls.support.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

const NONE: ChatRequest = { ...REQUEST, toolChoice: 'none' };
const CALLS = [
  BLOCK,
  CALL,
  `\`\`\`json\n${CALL}\n\`\`\``,
  'Action: find\nAction Input: {"q": "x"}',
];
const FORMS = [`I would write ${BLOCK}`, ...CALLS.map((call) => `Like so:\n${call}`)];

const salvaged = (model: ChatModel) => withToolCalling(model, { salvage: true });

describe('with `toolChoice: none`', () => {
  it.each(FORMS)('what looks like a call is text, as it was written: %j', async (written) => {
    expect(await read(written, 'stop', NONE)).toEqual({
      content: [said(written)],
      finishReason: 'stop',
    });
  });

  it.each([...FORMS, ...CALLS])('nothing is salvaged: %j', async (written) => {
    const answer = await salvaged(scripted([written])).generate(NONE, {});
    expect(answer).toMatchObject({ content: [said(written)], finishReason: 'stop' });
  });

  it.each(CALLS)('an answer of nothing but a call says nothing: %j', async (written) => {
    expect(await read(written, 'stop', NONE)).toEqual({ content: [], finishReason: 'stop' });
    const model = prompted(scripted([written]));
    expect(await model.generate(NONE)).toMatchObject({ content: [], finishReason: 'stop' });
  });

  it('labels and made-up results are still not shown', async () => {
    const written = 'Thought: Hm.\nFinal Answer: So.<tool_response>x';
    const { content } = await read(written, 'stop', NONE);
    expect(content).toEqual([{ type: 'reasoning', text: 'Hm.' }, said('So.')]);
  });

  it.each([
    ['prompt', prompted],
    ['salvage', salvaged],
  ])('no tool is run, and the text is the answer: %s', async (_mode, wrap) => {
    let count = 0;
    @Injectable()
    class Tools {
      @Tool('Finds.')
      find() {
        count++;
      }
    }
    const { agent } = await startAgent([Tools]);
    const ran = await runToEnd(agent, { model: wrap(scripted([FORMS[0]])), toolChoice: 'none' });
    const watched = await streamToEnd(agent, {
      model: wrap(scripted([FORMS[0]])),
      toolChoice: 'none',
    });
    for (const { status, text } of [ran, watched]) {
      expect([status, text]).toEqual(['completed', FORMS[0]]);
    }
    expect(count).toBe(0);
  });
});
