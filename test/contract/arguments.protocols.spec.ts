import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, UseFilters, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExceptionFilter, NestInterceptor } from '@nestjs/common';
import { Tool, ToolCallLogger, ToolInput, ToolParam } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { tap } from 'rxjs';
import { z } from 'zod';
import { startAgent } from '../loop/support/agent.js';
import { serving, WIRES } from './wire.js';

class PassThrough implements NestInterceptor {
  intercept(_: unknown, next: CallHandler) {
    return next.handle().pipe(tap());
  }
}

class Rethrow implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}

@Injectable()
class Tools {
  readonly got: unknown[] = [];

  @Tool('No arguments.')
  now() {
    this.got.push('now');
  }

  @Tool({ description: 'A place.', inputSchema: z.object({ city: z.string().optional() }) })
  weather(@ToolInput() input: object) {
    this.got.push(input);
  }

  @Tool({ description: 'A place.', inputSchema: z.object({ city: z.string().optional() }) })
  @UseInterceptors(PassThrough)
  @UseFilters(Rethrow)
  guarded(@ToolInput() input: object) {
    this.got.push(input);
  }

  @Tool({
    description: 'A page.',
    inputSchema: z.object({
      limit: z.number().optional(),
      all: z.boolean().optional(),
      list: z.array(z.number()).optional(),
    }),
  })
  page(@ToolInput() input: object) {
    this.got.push(input);
  }

  @Tool('Big numbers.')
  byId(@ToolParam('id') id: number) {
    this.got.push(id);
  }

  @Tool('Big numbers as text.')
  byText(@ToolParam('id') id: string) {
    this.got.push(id);
  }

  @Tool({
    description: 'Has nullable and optional fields.',
    inputSchema: z.object({ unit: z.string().nullable(), note: z.string().optional() }),
  })
  unit(@ToolInput() input: object) {
    this.got.push(input);
  }

  @Tool({ description: 'Flat.', inputSchema: z.object({ x: z.number().optional() }) })
  filter(@ToolInput() filter: object) {
    this.got.push(filter);
  }

  @Tool('Has a default.')
  withDefault(@ToolParam('a') a: string, @ToolParam('b', { required: false }) b: number = 7) {
    this.got.push([a, b]);
  }

  @Tool({ description: 'Levels.', inputSchema: z.object({ level: z.enum(['INFO', 'title']) }) })
  log(@ToolInput() input: object) {
    this.got.push(input);
  }

  @Tool('Signs in.')
  login(@ToolParam('password') password: string, @ToolParam('n') n: number) {
    this.got.push(password, n);
  }
}

const CHAT = WIRES[0][1];

/** Plays one call, then a text; what the method got, what the model reads, what was sent. */
async function call(
  name: string,
  json: readonly (string | null)[],
  { factory, chunks } = CHAT,
  toolMiddleware: (typeof ToolCallLogger)[] = [],
) {
  const { model, bodies } = serving(
    factory,
    chunks([], [{ name, id: 'c1', json }]),
    chunks(['done']),
  );
  const { agent, app } = await startAgent([Tools], { model, toolMiddleware });
  const result = await agent.stream('Go.').result;
  const [{ status, content }] = result.steps[0].toolResults;
  return { got: app.get(Tools).got, status, content: String(content), result, bodies };
}

interface ReplayedCall {
  readonly function: { readonly arguments: string };
}

/** The arguments of the stored call as the second request repeats them, by protocol. */
const READERS: Readonly<Record<string, (body: never) => unknown>> = {
  openai: (body: { messages: { tool_calls?: ReplayedCall[] }[] }) =>
    JSON.parse(body.messages[1].tool_calls?.[0].function.arguments ?? ''),
  openaiResponses: (body: { input: { type: string; arguments: string }[] }) =>
    JSON.parse(body.input.find(({ type }) => type === 'function_call')?.arguments ?? ''),
  anthropic: (body: { messages: { content: { type: string; input: unknown }[] }[] }) =>
    body.messages[1].content.find(({ type }) => type === 'tool_use')?.input,
  gemini: (body: { contents: { parts: { functionCall: { args: unknown } }[] }[] }) =>
    body.contents[1].parts[0].functionCall.args,
};

describe.each(WIRES)('the arguments of a call of %s', (provider, wire) => {
  it.each([
    ['17', ''],
    ['18', null],
  ])('17: that are none run the tool, and go back as an object (%s: %j)', async (_, json) => {
    const { got, status, bodies } = await call('now', [json], wire);
    expect([got, status]).toEqual([['now'], 'success']);
    expect(READERS[provider](bodies[1] as never)).toEqual({});
  });

  it('18: that are null run a tool whose arguments are all optional', async () => {
    const { got, status } = await call('weather', [null], wire);
    expect([got, status]).toEqual([[{}], 'success']);
  });

  // Gemini sends no text but an object.
  const broken = provider === 'gemini' ? [] : ['{"city": "Par', 'not json'];
  const inputs = broken.length > 0 ? broken : ['{"city": 5, "town": {}}'];

  it.each(inputs)('19: that are broken go back as an object: %s', async (json) => {
    const { status, bodies, result } = await call('weather', [json], wire);
    expect(READERS[provider](bodies[1] as never)).toEqual(expect.any(Object));
    expect([status, result.status, result.text]).toEqual([status, 'completed', 'done']);
  });

  it.each(inputs)('20: that are broken end neither the run nor in defaults: %s', async (json) => {
    const { got, status, result } = await call('weather', [json], wire);
    expect(got).not.toContainEqual({});
    expect([status, result.status]).toEqual(['error', 'completed']);
    expect(result.steps[0].toolResults).toHaveLength(1);
  });
});

describe('the arguments of a call, further', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    Logger.overrideLogger(false);
  });

  it.each(['not json', '{"city":[]}', '[1]'])(
    '21: that are refused are the same failure behind enhancers that hand errors on: %s',
    async (json) => {
      const bare = await call('weather', [json]);
      const guarded = await call('guarded', [json]);
      expect(guarded.content.replaceAll('guarded', 'weather')).toBe(bare.content);
      expect([guarded.status, guarded.result.text, guarded.got]).toEqual(['error', 'done', []]);
    },
  );

  it.each([
    ['{"limit":"500"}', { limit: 500 }],
    ['{"all":"true"}', { all: true }],
    ['{"all":"false"}', { all: false }],
    ['{"list":"[1,2]"}', { list: [1, 2] }],
  ])('22: are read as what they clearly mean: %s', async (json, expected) => {
    expect((await call('page', [json])).got).toEqual([expected]);
  });

  it.each(['{"id":"abc"}', '{"id":""}', '{"id":"0x1F"}', '{"id":"Infinity"}'])(
    '22: stay refused where their meaning is in doubt: %s',
    async (json) => {
      const { got, status, content } = await call('byId', [json]);
      expect([got, status]).toEqual([[], 'error']);
      expect(content).toContain('id');
    },
  );

  it('22: are complained about as they are after what could be read', async () => {
    const { got, content } = await call('page', ['{"limit":"500","list":"x"}']);
    expect(got).toEqual([]);
    expect(content).toContain('list');
    expect(content).not.toContain('limit');
  });

  it('23: keep all digits of a number that is asked for as text', async () => {
    expect((await call('byText', ['{"id":"9007199254740993"}'])).got).toEqual(['9007199254740993']);
    const { got } = await call('byText', ['{"id":9007199254740993}']);
    expect([[], ['9007199254740993']]).toContainEqual(got);
  });

  it.each(['9007199254740993', '-9007199254740993', '"9007199254740993"'])(
    '23: are not rounded: %s',
    async (id) => {
      const { got, status, content } = await call('byId', [`{"id":${id}}`]);
      expect([got, status]).toEqual([[], 'error']);
      expect(content).toContain('id');
    },
  );

  it('24: that lack a needed one name it', async () => {
    const { got, content } = await call('byId', ['{}']);
    expect(got).toEqual([]);
    expect(content).toMatch(/\bid\b.*(?:missing|required)|(?:missing|required).*\bid\b/is);
    expect((await call('byId', ['{"id":null}'])).got).toEqual([]);
  });

  it('25: keep a null that the application asked for, and only that', async () => {
    expect((await call('unit', ['{"unit":null}'])).got).toEqual([{ unit: null }]);
    expect((await call('unit', ['{"unit":null,"note":null}'])).got).toEqual([{ unit: null }]);
    const missing = await call('unit', ['{}']);
    expect([missing.got, missing.status]).toEqual([[], 'error']);
  });

  it('26: that are wrapped in the name of the parameter do not vanish', async () => {
    const { got, status, content } = await call('filter', ['{"filter":{"x":1}}']);
    expect(got).not.toContainEqual({});
    // Either is right: the method gets it, or the model is told.
    const isTold = status === 'error' && got.length === 0 && content.includes('filter');
    const isTaken = status === 'success' && JSON.stringify(got) === '[{"x":1}]';
    expect(isTold || isTaken).toBe(true);
  });

  it.each([['{"a":"x","b":null}'], ['{"a":"x"}']])(
    '28: leave defaults to the method: %s',
    async (json) => {
      expect((await call('withDefault', [json])).got).toEqual([['x', 7]]);
    },
  );

  it('29: that were refused stand in the history once, and the complaint says which', async () => {
    const { bodies, content } = await call('byId', ['{"id":"seven-of-nine"}']);
    expect(READERS.openai(bodies[1] as never)).toEqual({ id: 'seven-of-nine' });
    expect(content).toContain('id');
  });

  it.each(['INFO', 'info', 'title', 'TITLE'])(
    '30: are the same enum value where letters have other cases: %s',
    async (level) => {
      const lower = jest.spyOn(String.prototype, 'toLocaleLowerCase');
      const upper = jest.spyOn(String.prototype, 'toLocaleUpperCase');
      lower.mockImplementation(function (this: string) {
        return this.replaceAll('I', 'ı').toLowerCase();
      });
      upper.mockImplementation(function (this: string) {
        return this.replaceAll('i', 'İ').toUpperCase();
      });
      const collator = jest.spyOn(String.prototype, 'localeCompare').mockReturnValue(1);
      const { got } = await call('log', [`{"level":"${level}"}`]);
      expect(got).toEqual([{ level: level.toLowerCase() === 'info' ? 'INFO' : 'title' }]);
      expect(collator).not.toHaveBeenCalledWith('INFO');
    },
  );

  it('31: are neither in a log nor in the complaint when another one is wrong', async () => {
    const lines: unknown[] = [];
    const note = (...line: unknown[]) => void lines.push(...line);
    const silent = { log: note, error: note, warn: note, debug: note, verbose: note, fatal: note };
    const { model } = serving(
      openai,
      CHAT.chunks([], [{ name: 'login', id: 'c1', json: ['{"password":"s3cret","n":"x"}'] }]),
      CHAT.chunks(['done']),
    );
    const { agent } = await startAgent([Tools], { model, toolMiddleware: [ToolCallLogger] });
    Logger.overrideLogger(silent);
    const { steps } = await agent.stream('Go.').result;
    expect(steps[0].toolResults[0].status).toBe('error');
    expect(String(steps[0].toolResults[0].content)).not.toContain('s3cret');
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });
});
