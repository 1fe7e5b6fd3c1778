import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getAgentToken,
  getChatModelToken,
  InjectAgent,
  InjectChatModel,
  Tool,
  ToolExecutor,
  ToolRegistry,
  type AgentToolsModuleAsyncOptions,
  type AgentToolsModuleOptionsFactory,
  type ChatModel,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';

@Injectable()
class Config implements AgentToolsModuleOptionsFactory {
  createAgentToolsOptions() {
    return { model: scripted(['from the config']) };
  }
}

@Module({ providers: [Config], exports: [Config] })
class ConfigModule {}

class Tools {
  @Tool('Anything.')
  run() {
    return 'ran';
  }
}

@Injectable()
class Consumer {
  constructor(
    readonly agent: AgentService,
    @InjectAgent('named') readonly named: AgentService,
    @InjectChatModel() readonly model: ChatModel,
    readonly registry: ToolRegistry,
    readonly executor: ToolExecutor,
  ) {}
}

@Module({
  imports: [
    AgentToolsModule.forFeature({ agents: [{ name: 'named', instructions: 'Be short.' }] }),
  ],
  providers: [Consumer, Tools],
})
class FeatureModule {}

describe('AgentToolsModule.forRootAsync()', () => {
  it.each<[string, AgentToolsModuleAsyncOptions]>([
    [
      'useFactory',
      {
        imports: [ConfigModule],
        inject: [Config],
        useFactory: async (config: Config) => Promise.resolve(config.createAgentToolsOptions()),
      },
    ],
    ['useClass', { useClass: Config }],
    ['useExisting', { imports: [ConfigModule], useExisting: Config }],
  ])('takes its options from %s, and what it exports is global', async (_form, options) => {
    const app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRootAsync(options), FeatureModule],
    }).compile();
    await app.init();
    const consumer = app.get(Consumer, { strict: false });
    expect((await consumer.agent.run('Hi')).text).toBe('from the config');
    expect(consumer.model).toBe(app.get(getChatModelToken()));
    expect(consumer.named).toBe(app.get(getAgentToken('named'), { strict: false }));
    expect(consumer.registry.list()).toHaveLength(1);
    expect((await consumer.executor.execute('run', {})).content).toBe('ran');
    await app.close();
  });

  it('says what is missing', () => {
    expect(() => AgentToolsModule.forRootAsync({})).toThrow(
      'needs one of `useFactory`, `useClass` and `useExisting`',
    );
  });
});

describe('AgentToolsModule.forFeature()', () => {
  it('refuses two agents of one name, in one call and in two', async () => {
    const feature = (...instructions: string[]) =>
      AgentToolsModule.forFeature({
        agents: instructions.map((text) => ({ name: 'billing', instructions: text })),
      });
    expect(() => feature('first', 'second')).toThrow('Two agents are named "billing".');
    await expect(
      Test.createTestingModule({
        imports: [AgentToolsModule.forRoot(), feature('first'), feature('second')],
      }).compile(),
    ).rejects.toThrow('Two agents are named "billing".');
  });

  it.each([{ steps: Number.NaN }, { toolCalls: -1 }, { timeout: 0 }])(
    'refuses limits that would never be reached: %p',
    async (limits) => {
      const app = await Test.createTestingModule({
        imports: [
          AgentToolsModule.forRoot({ model: scripted(['x']) }),
          AgentToolsModule.forFeature({ agents: [{ name: 'billing', limits }] }),
        ],
      }).compile();
      await expect(app.init()).rejects.toThrow('Agent "billing" has the limit');
      await expect(app.get(AgentService).run('Hi', { limits })).rejects.toThrow(
        'This run has the limit',
      );
      await app.close().catch(() => undefined);
    },
  );

  it('refuses a choice of a tool that the run does not have', async () => {
    const app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot({ model: scripted(['x']) })],
      providers: [Tools],
    }).compile();
    await expect(app.get(AgentService).run('Hi', { toolChoice: { tool: 'nope' } })).rejects.toThrow(
      'names the tool "nope", which the run does not have. Its tools are: run.',
    );
    await app.close();
  });
});

describe('AgentToolsModule.forRoot()', () => {
  it('works without a model until an agent runs', async () => {
    const app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot()],
      providers: [Tools],
    }).compile();
    await app.init();
    expect((await app.get(ToolExecutor).execute('run', {})).status).toBe('success');
    await expect(app.get(AgentService).run('Hi')).rejects.toThrow(
      'There is no chat model. Give one to AgentToolsModule.forRoot({ model })',
    );
    expect(() => app.get(AgentService).stream('Hi')).toThrow('There is no chat model.');
    await app.close();
  });
});
