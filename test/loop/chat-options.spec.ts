import { expect, it } from '@jest/globals';
import { AgentService, type ChatModel } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

it('gives a model that wraps another a signal that survives spreading the options', async () => {
  const inner = scripted(['Done.']);
  const signals: unknown[] = [];
  const wrapper: ChatModel = {
    name: 'wrapper',
    generate: (request, options) => {
      const copy = { ...options };
      signals.push(copy.signal);
      return inner.generate(request, copy);
    },
    stream: (request, options) => inner.stream(request, { ...options }),
  };
  const app = await createApp({}, { model: wrapper });
  await app.get(AgentService).run('Go.');
  expect(signals).toEqual([expect.any(AbortSignal)]);
  await app.close();
});
