import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  InjectChatModel,
  type AgentOptions,
  type AgentRunOptions,
  type ChatModel,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';

@Injectable()
class Summaries {
  constructor(@InjectChatModel() readonly model: ChatModel) {}
}

const started: TestingModule[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

async function start(options: object, agent?: object): Promise<TestingModule> {
  const agents = agent ? [agent as AgentOptions] : [];
  const app = await Test.createTestingModule({
    imports: [
      AgentToolsModule.forRootAsync({ useFactory: () => options }),
      AgentToolsModule.forFeature({ agents }),
    ],
    providers: [Summaries],
  }).compile();
  await app.init();
  started.push(app);
  return app;
}

const MISTAKES: readonly (readonly [object, string])[] = [
  [{ modelSetting: {} }, ' has no option `modelSetting` (did you mean `modelSettings`?)'],
  [{ limit: {} }, ' has no option `limit` (did you mean `limits`?)'],
  [{ limits: { step: 3 } }, ' has no option `step` (did you mean `steps`?)'],
  [{ modelSettings: { temprature: 1 } }, '`temprature` (did you mean `temperature`?)'],
  [{ modelSettings: { temperature: '1' } }, "`temperature` must be a number from 0, not '1'."],
  [{ modelSettings: { headers: new Headers() } }, '`headers` must be an object of texts.'],
  [
    { modelSettings: { responseFormat: { type: 'json_schema', json_schema: {} } } },
    '`responseFormat` must be',
  ],
];

describe.each(MISTAKES)('the options %j', (mistake, text) => {
  it('of the module stop the boot', async () => {
    await expect(start(mistake)).rejects.toThrow(text);
    await expect(start(mistake)).rejects.toThrow('AgentToolsModule');
  });

  it('of an agent stop the boot', async () => {
    await expect(start({}, { name: 'billing', ...mistake })).rejects.toThrow(text);
    await expect(start({}, { name: 'billing', ...mistake })).rejects.toThrow('Agent "billing"');
  });
});

describe('a run', () => {
  it.each([
    [{ temperature: 0 }, 'This run has no option `temperature`.'],
    [{ limits: { step: 3 } }, 'The `limits` of this run has no option `step`'],
  ])('refuses the options %j before it begins', async (options, text) => {
    const model = scripted(['Hi']);
    const agent = (await start({ model })).get(AgentService);
    await expect(agent.run('Hi', options as AgentRunOptions)).rejects.toThrow(text);
    expect(() => agent.stream('Hi', options as AgentRunOptions)).toThrow(text);
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['a text', 'Hi'],
    ['the answer of a provider', { choices: [] }],
    ['an answer without a list', { content: 'Hi', finishReason: 'stop' }],
    ['an answer without a reason', { content: [] }],
  ])('says what a model must give that gave %s', async (_, answer) => {
    const model: ChatModel = {
      name: 'own',
      generate: () => Promise.resolve(answer as never),
      stream: () => [] as never,
    };
    const agent = (await start({ model })).get(AgentService);
    await expect(agent.run('Hi')).rejects.toThrow(
      'The model "own" gave an answer in another form. Its generate() must resolve to',
    );
  });
});

describe('models', () => {
  it('are no list', async () => {
    await expect(start({ models: [scripted([])] })).rejects.toThrow('`models` of AgentToolsModule');
  });

  it('that are injected where there are none say so when they are asked', async () => {
    const { model } = (await start({})).get(Summaries);
    const request = { messages: [] };
    await expect(model.generate(request)).rejects.toThrow('There is no chat model. Give one to');
    expect(() => model.stream(request)).toThrow('There is no chat model. Give one to');
    const named = (await start({ models: { fast: scripted([]) } })).get(Summaries);
    await expect(named.model.generate(request)).rejects.toThrow(
      'no default among the models: fast',
    );
  });
});
