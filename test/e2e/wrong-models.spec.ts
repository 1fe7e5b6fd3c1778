import { afterEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getChatModelToken,
  type AgentToolsModuleOptions,
} from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { scripted } from 'nestjs-agent-tools/testing';

const LANGCHAIN = {
  name: 'ChatOpenAI',
  _llmType: () => 'openai',
  generate: () => Promise.reject(new Error('asked')),
  stream: () => Promise.reject(new Error('asked')),
};
const AI_SDK = { specificationVersion: 'v3', provider: 'openai', doGenerate: () => {} };

const WRONG: readonly (readonly [string, unknown, string])[] = [
  ['a model of LangChain', LANGCHAIN, 'fromLangChain(model)'],
  ['a model of the AI SDK', AI_SDK, 'fromAiSdk(model)'],
  ['a factory that was not called', openai, 'Call the factory'],
];

const started: TestingModule[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

async function start(options: AgentToolsModuleOptions, replaced?: unknown): Promise<AgentService> {
  let builder = Test.createTestingModule({ imports: [AgentToolsModule.forRoot(options)] });
  if (replaced !== undefined) {
    builder = builder.overrideProvider(getChatModelToken()).useValue(replaced);
  }
  const app = await builder.compile();
  await app.init();
  started.push(app);
  return app.get(AgentService);
}

describe.each(WRONG)('%s', (_, model, remedy) => {
  it('is refused at boot as the model', async () => {
    await expect(start({ model: model as never })).rejects.toThrow(
      'The `model` of AgentToolsModule was given',
    );
    await expect(start({ model: model as never })).rejects.toThrow(remedy);
  });

  it('is refused at boot as one of the models', async () => {
    await expect(start({ models: { fast: model as never } })).rejects.toThrow(remedy);
  });

  it('is refused at boot when it stands in for the model in a test', async () => {
    await expect(start({ model: scripted([]) }, model)).rejects.toThrow(remedy);
    await expect(start({}, model)).rejects.toThrow(remedy);
  });

  it('is refused as the model of a run', async () => {
    const agent = await start({});
    await expect(agent.run('Hi', { model: model as never })).rejects.toThrow(
      'The `model` of this run was given',
    );
    expect(() => agent.stream('Hi', { model: model as never })).toThrow(remedy);
  });
});

describe('an application without a default model', () => {
  it('is told which models there are', async () => {
    const agent = await start({ models: { fast: scripted(['Hi']), large: scripted([]) } });
    await expect(agent.run('Hi')).rejects.toThrow(
      'There is no default among the models: fast, large.',
    );
    expect((await agent.run('Hi', { model: 'fast' })).text).toBe('Hi');
  });
});
