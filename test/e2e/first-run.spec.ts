import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentService, AgentToolsModule, Tool, ToolInput } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';

@Injectable()
class OrderTools {
  @Tool({
    description: 'Look up one order by its number.',
    inputSchema: z.object({ orderNo: z.string() }),
  })
  findOrder(@ToolInput() { orderNo }: { orderNo: string }) {
    return { orderNo, status: 'shipped' };
  }
}

describe('when an agent is asked something that a tool knows', () => {
  const model = scripted([{ tool: 'findOrder', arguments: { orderNo: 'A-1' } }, 'It was shipped.']);

  @Module({ imports: [AgentToolsModule.forRoot({ model })], providers: [OrderTools] })
  class AppModule {}

  it('runs the tool and answers from its result', async () => {
    const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
    await app.init();
    const result = await app.get(AgentService).run('Where is A-1?');
    expect(result).toMatchObject({ status: 'completed', text: 'It was shipped.' });
    expect(result.messages).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', name: 'findOrder' }] },
      {
        role: 'tool',
        content: [{ status: 'success', content: '{"orderNo":"A-1","status":"shipped"}' }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'It was shipped.' }] },
    ]);
    model.assertComplete();
    await app.close();
  });
});
