import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getAgentToken,
  getChatModelToken,
  InjectChatModel,
  type AgentToolsModuleAsyncOptions,
  type AgentToolsModuleOptions,
  type ChatModel,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';

@Injectable()
class Consumer {
  constructor(
    @InjectChatModel() readonly standard: ChatModel,
    @InjectChatModel('fast') readonly fast: ChatModel,
  ) {}
}

const AGENT = AgentToolsModule.forFeature({ agents: [{ name: 'quick', model: 'fast' }] });

let app: TestingModule;
const started: TestingModule[] = [];

// Nest 11 cannot close an application that has refused to start.
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

async function init(compiled: TestingModule): Promise<TestingModule> {
  await compiled.init();
  started.push(compiled);
  app = compiled;
  return compiled;
}

async function start(
  options: AgentToolsModuleOptions,
  overrides: Record<string, ChatModel> = {},
): Promise<TestingModule> {
  const builder = Test.createTestingModule({
    imports: [AgentToolsModule.forRoot(options), AGENT],
    providers: [Consumer],
  });
  for (const [name, model] of Object.entries(overrides)) {
    builder.overrideProvider(getChatModelToken(name)).useValue(model);
  }
  return init(await builder.compile());
}

async function startAsync(options: AgentToolsModuleAsyncOptions, providers = [Consumer]) {
  const metadata = { imports: [AgentToolsModule.forRootAsync(options), AGENT], providers };
  return init(await Test.createTestingModule(metadata).compile());
}

const models = () => ({ default: scripted(['from the default']), fast: scripted(['from fast']) });

describe('models by name', () => {
  it('are injected', async () => {
    const given = models();
    await start({ models: given });
    expect(app.get(Consumer)).toMatchObject({ standard: given.default, fast: given.fast });
  });

  it('take `model` for the default', async () => {
    const { default: model, fast } = models();
    await start({ model, models: { fast } });
    expect(app.get(Consumer)).toMatchObject({ standard: model, fast });
    expect((await app.get(AgentService).run('Hi')).text).toBe('from the default');
  });

  it('serve the agents and the runs that name them', async () => {
    await start({ models: models() });
    expect((await app.get(AgentService).run('Hi')).text).toBe('from the default');
    const quick = app.get<AgentService>(getAgentToken('quick'));
    expect((await quick.run('Hi')).text).toBe('from fast');
    await start({ models: models() });
    expect((await app.get(AgentService).run('Hi', { model: 'fast' })).text).toBe('from fast');
    const again = app.get<AgentService>(getAgentToken('quick'));
    expect((await again.run('Hi', { model: 'default' })).text).toBe('from the default');
  });

  it('give way to a model that a run brings', async () => {
    await start({ models: models() });
    const { text } = await app.get(AgentService).run('Hi', { model: scripted(['my own']) });
    expect(text).toBe('my own');
  });

  it('are replaced in tests by their tokens, for agents too', async () => {
    await start({ models: models() }, { fast: scripted(['replaced']) });
    const quick = app.get<AgentService>(getAgentToken('quick'));
    expect((await quick.run('Hi')).text).toBe('replaced');
  });

  it('may come from an asynchronous factory', async () => {
    const given = models();
    await startAsync({ useFactory: () => ({ models: given }), modelNames: ['fast'] });
    expect(app.get(Consumer)).toMatchObject({ standard: given.default, fast: given.fast });
  });

  it('are found by agents without being declared', async () => {
    await startAsync({ useFactory: () => ({ models: models() }) }, []);
    const quick = app.get<AgentService>(getAgentToken('quick'));
    expect((await quick.run('Hi')).text).toBe('from fast');
  });
});

describe('an application does not start', () => {
  it('with an agent that names a model which is not there', async () => {
    await expect(
      startAsync({ useFactory: () => ({ model: models().default }) }, []),
    ).rejects.toThrow(
      'There is no chat model "fast". There are: default. Add it to `models` of AgentToolsModule.',
    );
  });

  it('with a declared name for which the factory has no model', async () => {
    const { fast } = models();
    const options = { useFactory: () => ({ models: { fast } }), modelNames: ['large'] };
    await expect(startAsync(options, [])).rejects.toThrow('There is no chat model "large".');
  });

  it('with two defaults', async () => {
    await expect(start({ model: scripted([]), models: models() })).rejects.toThrow(
      'has both `model` and `models.default`',
    );
  });

  it('with something that is no model', async () => {
    const wrong = { name: 'half', generate: () => Promise.reject(new Error()) } as never;
    await expect(start({ models: { ...models(), wrong } })).rejects.toThrow(
      'The model "wrong" of AgentToolsModule was given another object in place of a chat model.',
    );
  });
});

describe('a run', () => {
  it('with the name of a model that is not there says which there are', async () => {
    await start({ models: models() });
    await expect(app.get(AgentService).run('Hi', { model: 'slow' })).rejects.toThrow(
      'There is no chat model "slow". There are: default, fast.',
    );
  });

  it('does not take the name of a property for that of a model', async () => {
    await start({ models: models() });
    for (const model of ['constructor', '__proto__', 'toString']) {
      await expect(app.get(AgentService).run('Hi', { model })).rejects.toThrow('no chat model');
    }
  });
});
