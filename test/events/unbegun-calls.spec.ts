import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AgentEvents, Tool, type RuntimeEvent } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';

class Counting {
  @Tool('Counts.')
  count() {
    return 1;
  }
}

const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };

afterEach(() => {
  Logger.overrideLogger(false);
  jest.clearAllMocks();
});

describe('a call that the run does not let begin', () => {
  it.each([
    ['beyond the limit of calls', { limits: { toolCalls: 0 } }, 'limit of 0 tool calls'],
    ['of a reply that was cut off', {}, 'cut off at its length limit'],
  ])('%s has its events as well', async (_case, options, content) => {
    const isCut = content.startsWith('cut off');
    const call = { type: 'tool-call', id: 'a', name: 'count', arguments: '{}' } as const;
    const turn = isCut ? { content: [call], finishReason: 'length' as const } : { tool: 'count' };
    const { agent, app } = await startAgent([Counting], { model: scripted([turn, 'Done.']) });
    const events: RuntimeEvent[] = [];
    app.get(AgentEvents).subscribe((event) => events.push(event));
    await agent.run('Count.', options);
    const ofCall = events.filter((event) => event.type.startsWith('tool-'));
    expect(ofCall.map(({ type }) => type)).toEqual([
      'tool-arguments-received',
      'tool-arguments-read',
      'tool-failed',
    ]);
    expect(JSON.stringify(ofCall.at(-1))).toContain(content);
  });
});

describe('a run that fails', () => {
  it('is logged once, without credentials', async () => {
    const model = scripted([{ error: new Error('refused: api_key=sk-12345678901234567890') }]);
    const { agent } = await startAgent([Counting], { model });
    Logger.overrideLogger(log);
    await expect(agent.run('Count.')).rejects.toThrow('refused');
    expect(log.error).toHaveBeenCalledTimes(1);
    const [message] = log.error.mock.calls[0] as [string];
    expect(message).toMatch(/^Run \S+: The agent run failed in step 1: refused/);
    expect(message).not.toContain('sk-1234');
  });
});
