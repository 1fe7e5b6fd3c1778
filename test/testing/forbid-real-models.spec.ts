import { afterEach, describe, expect, it } from '@jest/globals';
import { ChatModelException, withRetries } from 'nestjs-agent-tools';
import { forbidRealModels, fromChunks, scripted } from 'nestjs-agent-tools/testing';
import { openai } from 'nestjs-agent-tools/openai';
// Not part of the index yet.
import { checkRealRequest } from '../../libs/agent-tools/src/models/http/real-requests.js';
import { collect, failure, sendJson, startServer } from '../models/test-server.js';

const request = { messages: [{ role: 'user', content: 'Hello' }] } as const;
const answer = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] };

const undos: (() => void)[] = [];

function forbid(...args: Parameters<typeof forbidRealModels>): () => void {
  const undo = forbidRealModels(...args);
  undos.push(undo);
  return undo;
}

afterEach(() => {
  for (const undo of undos.splice(0)) undo();
});

describe('forbidRealModels()', () => {
  it('refuses requests of real models, names the model and what to do', async () => {
    const server = await startServer((response) => sendJson(response, 200, answer));
    const model = openai({ model: 'm', apiKey: 'k', baseURL: server.url });
    forbid();
    const errors = [
      await failure(model.generate(request, {})),
      await failure(collect(model.stream(request, {}))),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(ChatModelException);
      expect(error.message).toContain(`${model.name} must not be asked at 127.0.0.1`);
      expect(error.message).toContain('scripted()');
      expect(error.message).toContain('replayTraffic()');
    }
    expect(server.requests).toHaveLength(0);
  });

  it('refuses at once, without retries', async () => {
    let retries = 0;
    const model = withRetries(openai({ model: 'm', apiKey: 'k' }), { maxRetries: 3 });
    forbid();
    await failure(model.generate(request, { onRetry: () => retries++ }));
    expect(retries).toBe(0);
  });

  it('refuses a `fetch` of the application as well', async () => {
    forbid();
    const own: typeof fetch = async () => Response.json({});
    const model = openai({ model: 'm', apiKey: 'k', baseURL: 'https://x.example/', fetch: own });
    await expect(model.generate(request)).rejects.toThrow(
      'openai:m must not be asked at x.example',
    );
  });

  it('lets models of this library answer', async () => {
    forbid();
    expect((await scripted(['Hi']).generate(request)).finishReason).toBe('stop');
    expect((await fromChunks(openai, [answer]).generate(request, {})).finishReason).toBe('stop');
  });

  it('allows addresses', async () => {
    const server = await startServer((response) => sendJson(response, 200, answer));
    forbid({ allow: (url) => url?.hostname === '127.0.0.1' });
    const local = openai({ model: 'm', apiKey: 'k', baseURL: server.url });
    expect((await local.generate(request, {})).finishReason).toBe('stop');
    const remote = openai({ model: 'm', apiKey: 'k', baseURL: 'https://x.example/v1' });
    await expect(remote.generate(request, {})).rejects.toThrow('must not be asked at x.example');
  });

  it('refuses models that do not know their address, unless they are allowed by name', () => {
    const options = { label: 'langchain:x' };
    expect(() => checkRealRequest(undefined, options)).not.toThrow();
    const undo = forbid({ allow: (url) => url !== undefined });
    expect(() => checkRealRequest(undefined, options)).toThrow('langchain:x must not be asked: ');
    expect(() => checkRealRequest(undefined, options)).not.toThrow('replayTraffic');
    expect(() => checkRealRequest('no URL', options)).toThrow('langchain:x must not be asked: ');
    undo();
    forbid({ allow: (_, model) => model === 'langchain:x' });
    expect(() => checkRealRequest(undefined, options)).not.toThrow();
    expect(() => checkRealRequest(undefined, { label: 'ai-sdk:y' })).toThrow('must not be asked');
  });

  it.each<[string, unknown]>([
    [
      'forbidRealModels({ allow }) needs a function: allow: (url) => url?.',
      { allow: ['localhost'] },
    ],
    ['it was given a text.', { allow: 'localhost' }],
    ['it was given true.', { allow: true }],
    ['are an object, with `allow`; it was given a function.', () => true],
    ['are an object, with `allow`; it was given a list.', ['localhost']],
    ['has no option `alow` (did you mean `allow`?). There is: `allow`.', { alow: () => true }],
  ])('refuses options of no use, and leaves all as it was: %s', (text, given) => {
    expect(() => forbid(given as object)).toThrow(TypeError);
    expect(() => forbid(given as object)).toThrow(text);
    expect(() => checkRealRequest('https://x.example/', { label: 'x' })).not.toThrow();
  });

  it('is undone, in whatever order', () => {
    const check = (): void => checkRealRequest('https://x.example/', { label: 'x' });
    const first = forbid();
    const second = forbid({ allow: () => true });
    check();
    first();
    check();
    const third = forbid();
    second();
    expect(check).toThrow('must not be asked');
    third();
    third();
    check();
  });

  it('is undone by `using`, where there is such', () => {
    const check = (): void => checkRealRequest('https://x.example/', { label: 'x' });
    const { dispose } = Symbol as { dispose?: symbol };
    const undo = forbid() as unknown as Record<symbol, () => void>;
    expect(check).toThrow('must not be asked');
    if (dispose) undo[dispose]();
    else (undo as unknown as () => void)();
    expect(check).not.toThrow();
  });
});
