/** What a browser gets: asserted on the bytes of Nest's own server-sent events. */
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Injectable, Logger, Sse, type INestApplication } from '@nestjs/common';
import {
  AgentService,
  CurrentToolCall,
  Tool,
  ToolParam,
  ToolSignal,
  type AgentStream,
  type SseDetail,
  type SseOptions,
  type ToolCall,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { compileApp } from '../support/app.js';
import { startAgent } from './support/agent.js';
import { aborted, gate } from './support/time.js';

const state: {
  options?: SseOptions;
  stream?: AgentStream;
  started: () => void;
  ended: () => void;
} = {
  started: () => undefined,
  ended: () => undefined,
};

@Injectable()
class Tools {
  @Tool('Looks up.')
  find(@ToolParam('key') key: string, @CurrentToolCall() call: ToolCall) {
    call.progress({ secret: 'PROGRESS-SECRET', size: 1n });
    return { found: 'RESULT-SECRET', for: key };
  }

  @Tool({ description: 'Fails.', errors: 'message' })
  fail() {
    throw new Error('TOOL-ERROR-SECRET');
  }

  @Tool('Ends when it is told to.')
  async obedient(@ToolSignal() signal: AbortSignal) {
    state.started();
    await aborted(signal);
    state.ended();
    throw signal.reason;
  }
}

@Controller()
class Chat {
  constructor(private readonly agent: AgentService) {}

  @Sse('stream')
  stream() {
    const context: object = { tenant: 'CONTEXT-SECRET' };
    state.stream = this.agent.stream('USER-SECRET', { context });
    return state.stream.toSse(state.options);
  }
}

const TURNS: ScriptedTurn[] = [
  {
    content: [
      { type: 'reasoning', text: 'REASONING-SECRET' },
      { type: 'text', text: 'Let me look.', providerMetadata: { p: { s: 'METADATA-SECRET' } } },
      { type: 'tool-call', id: 'c1', name: 'find', arguments: '{"key":"ARGUMENT-SECRET"}' },
      { type: 'tool-call', id: 'c2', name: 'fail', arguments: '{}' },
    ],
    usage: { inputTokens: 4711, outputTokens: 1, totalTokens: 4712 },
  },
  'Here you are.',
];

let app: INestApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function listen(turns: readonly ScriptedTurn[], options?: SseOptions): Promise<string> {
  state.options = options;
  const module = await compileApp(
    { providers: [Tools], controllers: [Chat] },
    { model: scripted(turns), instructions: 'INSTRUCTIONS-SECRET' },
  );
  app = module.createNestApplication();
  await app.listen(0);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}/stream`;
}

function open(url: string): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => resolve({ request, response }));
    request.on('error', reject);
  });
}

/** Everything that the server sends. */
async function bytes(turns: readonly ScriptedTurn[], options?: SseOptions): Promise<string> {
  const { response } = await open(await listen(turns, options));
  response.setEncoding('utf8');
  let body = '';
  for await (const chunk of response) body += chunk as string;
  // Nest numbers the events.
  return body.replaceAll(/^id: \d+\n/gm, '');
}

const eventsIn = (body: string) => [...body.matchAll(/^event: (.+)$/gm)].map(([, type]) => type);

const textsIn = (body: string) =>
  [...body.matchAll(/^event: text-delta\ndata: (.+)$/gm)]
    .map(([, data]) => (JSON.parse(data) as { text: string }).text)
    .join('');

describe('server-sent events', () => {
  it('carry text, the names of tools and states', async () => {
    const body = await bytes(TURNS);
    expect(textsIn(body)).toBe('Let me look.Here you are.');
    expect(body).not.toContain('"text":""');
    expect(body).toMatch(/event: tool-call\ndata: \{.*"callId":"c1","name":"find"\}/);
    expect(body).toMatch(/event: tool-result\ndata: \{.*"name":"find","status":"success"\}/);
    expect(body).toMatch(/event: tool-result\ndata: \{.*"name":"fail","status":"error"\}/);
    expect(body).toMatch(
      /event: run-finished\ndata: \{.*"status":"completed","text":"Here you are."\}/,
    );
  });

  it('carry nothing else', async () => {
    const body = await bytes(TURNS);
    expect(body).not.toContain('SECRET');
    expect(body).not.toContain('4711');
    expect(body).not.toMatch(/"(messages|error|stack|cause|context|request|content|value)":/);
  });

  it.each<[SseDetail, string[]]>([
    ['arguments', ['ARGUMENT-SECRET']],
    ['results', ['RESULT-SECRET', 'TOOL-ERROR-SECRET', 'ARGUMENT-SECRET']],
    ['progress', ['PROGRESS-SECRET']],
    ['reasoning', ['REASONING-SECRET']],
    ['usage', ['4711']],
  ])('carry %s if that is included, and still nothing more', async (detail, shown) => {
    const body = await bytes(TURNS, { include: [detail] });
    for (const word of shown) expect(body).toContain(word);
    const hidden = ['ARGUMENT', 'RESULT', 'TOOL-ERROR', 'PROGRESS', 'REASONING']
      .map((word) => `${word}-SECRET`)
      .filter((word) => !shown.includes(word));
    for (const word of [...hidden, 'METADATA-SECRET', 'USER-SECRET', 'CONTEXT-SECRET']) {
      expect(body).not.toContain(word);
    }
    expect(body).not.toContain('INSTRUCTIONS-SECRET');
    expect(body.includes('4711')).toBe(detail === 'usage');
  });

  it('end with a fixed text after a failure, without a word about it', async () => {
    const error = new Error('ERROR-SECRET: https://user:pw@provider/v1');
    const body = await bytes([{ text: 'Let me look.', calls: [{ tool: 'fail' }] }, { error }]);
    expect(eventsIn(body).at(-1)).toBe('run-failed');
    expect(body).toMatch(
      /event: run-failed\ndata: \{.*"message":"The answer could not be completed."\}/,
    );
    expect(body).not.toContain('SECRET');
    expect(body).not.toContain('event: error');
  });

  it('end the run and its tools when the browser goes away', async () => {
    const started = gate();
    const ended = gate();
    state.started = started.open;
    state.ended = ended.open;
    const { request, response } = await open(await listen([{ tool: 'obedient' }, 'Never.']));
    response.resume();
    response.on('error', () => undefined);
    await started.opened;
    request.destroy();
    await ended.opened;
    expect(await state.stream?.result).toMatchObject({ status: 'aborted' });
  });

  it('complete without an event if the stream has a consumer already, and the log says so', async () => {
    const { agent } = await startAgent([Tools], { model: scripted(['Hello.']) });
    const stream = agent.stream('Go.');
    await stream.result;
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
    Logger.overrideLogger(log);
    try {
      expect(await lastValueFrom(stream.toSse().pipe(toArray()))).toEqual([]);
    } finally {
      Logger.overrideLogger(false);
    }
    expect(String(log.error.mock.calls[0]?.[0])).toContain('already has a consumer');
  });
});
