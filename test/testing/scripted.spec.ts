import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentService, AgentToolsModule, Tool } from 'nestjs-agent-tools';
import { callTool, exerciseAll, scripted } from 'nestjs-agent-tools/testing';
import { failure } from '../models/test-server.js';

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

  it('rejects for a tool that there is not, which a model would be told', async () => {
    const app = await start();
    await expect(callTool(app, 'findOrder', {})).rejects.toThrow(
      'callTool() found no tool "findOrder". The tools of this application are: findOrders, orders/count.',
    );
  });
});

describe('exerciseAll()', () => {
  it('refuses arguments for a tool that the run does not have', async () => {
    const agent = (await start()).get(AgentService);
    const model = exerciseAll({ arguments: { findOrder: {}, findOrders: {} } });
    await expect(agent.run('Go', { model })).rejects.toThrow(
      'exerciseAll({ arguments }) has arguments for findOrder, but the tools of the run are: ' +
        'findOrders, orders_count.',
    );
  });
});
