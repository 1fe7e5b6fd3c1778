import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getAgentToken,
  type AgentRunOptions,
  type ChatSettings,
} from 'nestjs-agent-tools';
import { mergeSettings } from 'nestjs-agent-tools/model-kit';
import { scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app?.close());

/** What the model is asked with, when the module, an agent and a run have settings. */
async function asked(
  ofModule?: ChatSettings,
  ofAgent?: ChatSettings,
  ofRun?: ChatSettings,
): Promise<(ChatSettings | undefined)[]> {
  const model = scripted(['one', 'two']);
  const agents = [{ name: 'set', modelSettings: ofAgent }];
  app = await createApp(
    { imports: [AgentToolsModule.forFeature({ agents })] },
    { model, modelSettings: ofModule },
  );
  const agent = app.get<AgentService>(getAgentToken('set'));
  const options: AgentRunOptions = { modelSettings: ofRun };
  await agent.run('Hi', options);
  await agent.stream('Hi', options).result;
  return model.requests.map(({ settings }) => settings);
}

describe('modelSettings', () => {
  it('reach the model from the nearest level, field by field', async () => {
    const settings = await asked(
      { temperature: 0.1, topP: 0.1, maxTokens: 1 },
      { topP: 0.2, maxTokens: 2 },
      { maxTokens: 3 },
    );
    const expected = { temperature: 0.1, topP: 0.2, maxTokens: 3 };
    expect(settings).toEqual([expected, expected]);
  });

  it.each([
    ['module', [{ seed: 1 }]],
    ['agent', [undefined, { seed: 1 }]],
    ['run', [undefined, undefined, { seed: 1 }]],
  ] as const)('may be those of the %s alone', async (_, levels) => {
    expect(await asked(...levels)).toEqual([{ seed: 1 }, { seed: 1 }]);
  });

  it('are none if nobody sets any', async () => {
    expect(await asked()).toEqual([undefined, undefined]);
  });

  it('are sent with each step', async () => {
    const model = scripted([{ tool: 'none' }, 'done']);
    app = await createApp({}, { model });
    await app.get(AgentService).run('Hi', { modelSettings: { temperature: 0 } });
    expect(model.requests.map(({ settings }) => settings)).toEqual([
      { temperature: 0 },
      { temperature: 0 },
    ]);
  });
});

describe('mergeSettings()', () => {
  it('merges headers and body entry by entry, whatever the case of names', () => {
    const base = { headers: { 'X-Team': 'a', 'x-user': 'b' }, body: { user: 'a', n: 1 } };
    const over = { headers: { 'x-team': 'c' }, body: { n: undefined } };
    expect(mergeSettings(base, over)).toEqual({
      headers: { 'x-user': 'b', 'x-team': 'c' },
      body: { user: 'a', n: undefined },
    });
  });

  it('does not count what is undefined', () => {
    expect(mergeSettings({ seed: 1 }, { seed: undefined })).toEqual({ seed: 1 });
    expect(mergeSettings(undefined, { seed: 2 })).toEqual({ seed: 2 });
    expect(mergeSettings({ seed: 1 }, undefined)).toEqual({ seed: 1 });
  });

  it('leaves both as they are', () => {
    const base = Object.freeze({ body: Object.freeze({ a: 1 }) });
    const over = Object.freeze({ body: Object.freeze({ b: 2 }) });
    expect(mergeSettings(base, over)).toEqual({ body: { a: 1, b: 2 } });
  });
});
