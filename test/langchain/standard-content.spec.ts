import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { startAgent } from '../loop/support/agent.js';
import { startServer } from '../models/test-server.js';
import { chatOpenAI, sendCompletion, streamCompletion } from './support/chat-completions.js';

@Injectable()
class OrderTools {
  @Tool('Finds an order.')
  find(@ToolParam('no') no: string) {
    return `${no} is on its way`;
  }
}

describe('a run with a model whose content has the standard form of LangChain 1', () => {
  it.each(['run', 'stream'] as const)('sends text and calls back (%s)', async (way) => {
    const { url, requests } = await startServer((response, attempt) => {
      const tool_calls = [
        {
          index: 0,
          id: 'c',
          type: 'function',
          function: { name: 'find', arguments: '{"no":"A-1"}' },
        },
      ];
      const answer =
        attempt === 1
          ? { content: 'Let me see.', reasoning_content: 'Hm', tool_calls }
          : { content: 'Done.' };
      const reason = attempt === 1 ? 'tool_calls' : 'stop';
      if (way === 'run') sendCompletion(response, answer, reason);
      else streamCompletion(response, [answer], reason);
    });
    const model = fromLangChain(chatOpenAI(url, { outputVersion: 'v1' }));
    const { agent } = await startAgent([OrderTools], { model });
    const result = way === 'run' ? await agent.run('A-1?') : await agent.stream('A-1?').result;
    expect(result.text).toBe('Done.');
    expect(requests[1]?.body.messages).toEqual([
      { role: 'user', content: 'A-1?' },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Let me see.' }],
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'find', arguments: '{"no":"A-1"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', name: 'find', content: 'A-1 is on its way' },
    ]);
  });
});
