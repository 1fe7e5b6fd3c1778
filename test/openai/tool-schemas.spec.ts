import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getChatModelToken,
  withToolCalling,
  Tool,
  toGeminiSchema,
  toOpenAISchema,
  ToolInput,
  type ChatModel,
  type ChatTool,
  type JsonSchema,
  type ObjectJsonSchema,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { openai, toChatCompletionsBody, type OpenAIOptions } from 'nestjs-agent-tools/openai';
import { compileApp } from '../support/app.js';

const ANSWER = { choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] };
const SCHEMA: ObjectJsonSchema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, description: 'The city.' },
    days: { type: 'integer', minimum: 1 },
  },
  required: ['city'],
};
const RECORD: ObjectJsonSchema = {
  type: 'object',
  properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
};

interface SentTool {
  readonly name: string;
  readonly parameters: JsonSchema;
  readonly strict?: boolean;
}

/** The tools in the request that a model sends for one turn. */
async function sentTools(
  tools: readonly Partial<ChatTool>[],
  options: Partial<OpenAIOptions> = {},
): Promise<SentTool[]> {
  const { model, bodies } = recorded(options);
  const list = tools.map((tool) => ({
    name: 'forecast',
    description: '',
    inputSchema: SCHEMA,
    ...tool,
  }));
  await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: list }, {});
  return toolsOf(bodies[0]);
}

function recorded(options: Partial<OpenAIOptions> = {}) {
  const bodies: string[] = [];
  const model = openai({
    model: 'm',
    apiKey: 'sk-1',
    ...options,
    fetch: async (_url, init) => {
      bodies.push(String(init?.body));
      return Response.json(ANSWER);
    },
  });
  return { model, bodies };
}

function toolsOf(body = '{}'): SentTool[] {
  const { tools } = JSON.parse(body) as { tools: { function: SentTool }[] };
  return tools.map((tool) => tool.function);
}

describe('openai() sends the schemas of tools', () => {
  const { OPENAI_BASE_URL: url } = process.env;
  beforeEach(() => void delete process.env.OPENAI_BASE_URL);
  afterEach(() => void Object.assign(process.env, url && { OPENAI_BASE_URL: url }));

  it('as they are, without strict', async () => {
    const [tool] = await sentTools([{}]);
    expect(tool).toEqual({ name: 'forecast', description: '', parameters: SCHEMA });
  });

  it('in the strict dialect with `strict: true`', async () => {
    const [tool] = await sentTools([{ strict: true }]);
    expect(tool).toMatchObject({
      strict: true,
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'The city. (at least 2 characters)' },
          days: { type: ['integer', 'null'], minimum: 1 },
        },
        required: ['city', 'days'],
        additionalProperties: false,
      },
    });
    expect(tool.parameters.properties?.city).not.toHaveProperty('minLength');
  });

  it('without `strict` for that tool alone whose schema cannot keep it', async () => {
    const [kept, record] = await sentTools([
      { strict: true },
      { name: 'label', strict: true, inputSchema: RECORD },
    ]);
    expect(kept.strict).toBe(true);
    expect(record).toEqual({ name: 'label', description: '', parameters: RECORD });
  });

  it('with `strict: false` as the tool says it', async () => {
    const [tool] = await sentTools([{ strict: false }]);
    expect(tool).toMatchObject({ strict: false, parameters: SCHEMA });
  });

  it.each(['http://localhost:11434/v1', 'http://[::1]:11434/v1', 'http://ollama:11434'])(
    'in the dialect of Ollama to %s, without strict',
    async (baseURL) => {
      const [tool] = await sentTools([{ strict: true }], { baseURL });
      expect(tool).not.toHaveProperty('strict');
      expect(tool.parameters.properties).toEqual({
        city: { type: 'string', description: 'The city. (at least 2 characters)' },
        days: { type: 'integer', description: 'at least 1' },
      });
    },
  );

  it('in the dialect of the base URL that the environment names', async () => {
    process.env.OPENAI_BASE_URL = 'http://localhost:11434/v1';
    const [tool] = await sentTools([{}]);
    expect(tool.parameters.properties?.days).toEqual({
      type: 'integer',
      description: 'at least 1',
    });
  });

  it('in the dialect of the option', async () => {
    const [tool] = await sentTools([{ strict: true }], {
      profile: { toolSchemas: { plain: toGeminiSchema } },
    });
    expect(tool).not.toHaveProperty('strict');
    expect(tool.parameters.properties?.city).not.toHaveProperty('minLength');
  });

  it('converted once, and not for each request', async () => {
    const plain = jest.fn(toOpenAISchema);
    const strict = jest.fn(toOpenAISchema);
    const { model } = recorded({ profile: { toolSchemas: { plain, strict } } });
    const tool = { name: 'a', description: '', inputSchema: SCHEMA };
    const tools = [tool, { ...tool, name: 'b' }, { ...tool, name: 'c', strict: true }];
    for (let turn = 0; turn < 3; turn++) await model.generate({ messages: [], tools }, {});
    model.toolSchemas?.plain(SCHEMA);
    expect(plain).toHaveBeenCalledTimes(1);
    expect(strict).toHaveBeenCalledTimes(1);
  });

  it('in a body that is made without a model', () => {
    const tools = [{ name: 'a', description: '', inputSchema: SCHEMA, strict: true }];
    const body = toChatCompletionsBody({ messages: [], tools }, { model: 'm' });
    expect(body.tools).toMatchObject([
      { function: { strict: true, parameters: { additionalProperties: false } } },
    ]);
  });
});

describe('a call of a strict tool', () => {
  it('reaches the method without the nulls that strict mode asked for', async () => {
    const received: unknown[] = [];
    @Injectable()
    class WeatherTools {
      @Tool({ description: 'Forecasts.', inputSchema: SCHEMA, strict: true })
      forecast(@ToolInput() input: unknown) {
        received.push(input);
        return 'Sunny.';
      }
    }
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'forecast', arguments: '{"city":"Rome","days":null}' },
    };
    const answers = [
      { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] },
      ANSWER,
    ];
    const fetch = async () => Response.json(answers.shift());
    const model = openai({ model: 'm', apiKey: 'sk-1', fetch });
    const app = await compileApp({ providers: [WeatherTools] }, { model });
    await app.init();
    const { text } = await app.get(AgentService).run('Will it rain?');
    expect(text).toBe('Done.');
    expect(received).toEqual([{ city: 'Rome' }]);
    await app.close();
  });
});

describe('at boot', () => {
  @Injectable()
  class WeatherTools {
    @Tool({ description: 'Forecasts.', inputSchema: SCHEMA, strict: true })
    forecast(@ToolInput() input: unknown) {
      return input;
    }

    @Tool({ description: 'Labels.', inputSchema: RECORD, strict: true })
    label(@ToolInput() input: unknown) {
      return input;
    }

    @Tool({ description: 'Is not strict.', inputSchema: RECORD })
    loose(@ToolInput() input: unknown) {
      return input;
    }
  }

  /** What the application logs while it starts. */
  async function boot(model: ChatModel | undefined, module?: TestingModule) {
    const app = module ?? (await compileApp({ providers: [WeatherTools] }, { model }));
    const log = { warn: jest.fn(), debug: jest.fn(), log: jest.fn(), error: jest.fn() };
    Logger.overrideLogger(log);
    try {
      await app.init();
      const lines = (fn: typeof log.warn) => fn.mock.calls.map(([line]) => String(line));
      return { app, warnings: lines(log.warn), debug: lines(log.debug) };
    } finally {
      Logger.overrideLogger(false);
    }
  }

  it('a tool that cannot be strict gets one warning with the reason and the remedy', async () => {
    const { app, warnings } = await boot(openai({ model: 'gpt-5-mini' }));
    expect(warnings).toEqual([
      'Tool "label" (WeatherTools.label) has `strict: true`, which openai:gpt-5-mini cannot keep: ' +
        '/properties/labels/additionalProperties: an object with free keys. The tool is sent without ' +
        'it. Describe the input by objects with named, typed properties, or remove `strict` from the ' +
        'options of @Tool().',
    ]);
    await app.close();
  });

  it('so does every strict tool if the server has none', async () => {
    const model = openai({ model: 'qwen3', baseURL: 'http://localhost:11434/v1' });
    const { app, warnings } = await boot(model);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('"forecast"');
    expect(warnings[0]).toContain('its server has no strict tools');
    expect(warnings[0]).toContain('Remove `strict`');
    await app.close();
  });

  it('lost constraints are told at debug level only', async () => {
    const { app, debug } = await boot(openai({ model: 'm' }));
    expect(debug.filter((line) => line.includes('does not take'))).toEqual([
      'Tool "forecast": openai:m does not take /properties/city/minLength of its schema; input is ' +
        'validated against the whole of it all the same',
    ]);
    await app.close();
  });

  it.each([
    ['there is no model', undefined],
    ['the model says nothing about schemas', namedModel('own')],
  ])('nothing is told if %s', async (_case, model) => {
    const { app, warnings, debug } = await boot(model);
    expect(warnings).toEqual([]);
    expect(debug.filter((line) => line.includes('does not take'))).toEqual([]);
    await app.close();
  });

  it('a model that wraps another one is looked through', async () => {
    const { app, warnings } = await boot(
      withToolCalling(openai({ model: 'm' }), { salvage: true }),
    );
    expect(warnings).toHaveLength(1);
    await app.close();
  });

  it('no schema is converted unless it is strict or somebody reads debug lines', async () => {
    const converted: string[] = [];
    const toolSchemas: ToolSchemaDialects = {
      plain: (schema) => {
        converted.push('plain');
        return toOpenAISchema(schema);
      },
      strict: (schema) => {
        converted.push('strict');
        return toOpenAISchema(schema);
      },
    };
    const app = await compileApp(
      { providers: [WeatherTools] },
      { model: { ...namedModel('own'), toolSchemas } },
    );
    const isLevelEnabled = jest
      .spyOn(Logger, 'isLevelEnabled')
      .mockImplementation((level) => level !== 'debug');
    await app.init();
    isLevelEnabled.mockRestore();
    expect(converted).toEqual(['strict', 'strict']);
    await app.close();
  });

  it('a model that a test puts in place of the own one is asked', async () => {
    const module = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot({ model: namedModel('own') })],
      providers: [WeatherTools],
    })
      .overrideProvider(getChatModelToken())
      .useValue(openai({ model: 'other' }))
      .compile();
    const { app, warnings } = await boot(undefined, module);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('openai:other cannot keep');
    await app.close();
  });

  it('the schema that the agent sends is the one that was checked', async () => {
    const { model, bodies } = recorded();
    const { app } = await boot(model);
    expect(app.get(getChatModelToken())).toBe(model);
    await app.get(AgentService).run('Hi');
    expect(toolsOf(bodies[0]).map(({ name, strict }) => [name, strict])).toEqual([
      ['forecast', true],
      ['label', undefined],
      ['loose', undefined],
    ]);
    await app.close();
  });
});

function namedModel(name: string): ChatModel {
  return {
    name,
    generate: () => Promise.reject(new Error('unused')),
    stream: () => {
      throw new Error('unused');
    },
  };
}
