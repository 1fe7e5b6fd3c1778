import { describe, expect, it } from '@jest/globals';
import type { AssistantPart, ChatMessage, ChatTool, ToolResultPart } from 'nestjs-agent-tools';
import { toGeminiBody, type GeminiBodyOptions } from 'nestjs-agent-tools/gemini';

const PNG = 'data:image/png;base64,iVBORw==';
const call = (id: string, name: string, json = '{}'): AssistantPart => ({
  type: 'tool-call',
  id,
  name,
  arguments: json,
});
const result = (
  callId: string,
  content: ToolResultPart['content'],
  more: Partial<ToolResultPart> = {},
): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: 'f',
  status: 'success',
  content,
  ...more,
});
const tool = (more: Partial<ChatTool> = {}): ChatTool => ({
  name: 'f',
  description: 'Does f.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  ...more,
});

function encode(
  messages: readonly ChatMessage[],
  options: Partial<GeminiBodyOptions> = {},
  more: { tools?: ChatTool[]; toolChoice?: 'auto' | 'none' | 'required' | { tool: string } } = {},
) {
  return toGeminiBody({ messages, ...more }, { model: 'gemini-2.5-flash', ...options });
}
const contents = (...messages: ChatMessage[]) => encode(messages).contents;
const settings = (options: Partial<GeminiBodyOptions>) => encode([], options).generationConfig;

describe('the messages of a request', () => {
  it('are an instruction of the system and turns', () => {
    const body = encode([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'system', content: '' },
      { role: 'system', content: 'Be kind.' },
    ]);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be short.' }, { text: 'Be kind.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
      ],
    });
  });

  it('have no empty content, no empty part and no neighbours of one role', () => {
    expect(
      contents(
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'text', text: '' }] },
        { role: 'assistant', content: [] },
        { role: 'user', content: '' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'b' },
          ],
        },
      ),
    ).toEqual([{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] }]);
  });

  it.each([
    [PNG, { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }],
    ['data:image/webp;x=y;base64,AAAA', { inlineData: { mimeType: 'image/webp', data: 'AAAA' } }],
    [
      'data:image/svg+xml,%3Csvg/%3E',
      { inlineData: { mimeType: 'image/svg+xml', data: 'PHN2Zy8+' } },
    ],
    [
      'https://x/a.PNG?b=c.gif',
      { fileData: { fileUri: 'https://x/a.PNG?b=c.gif', mimeType: 'image/png' } },
    ],
    ['https://x/a', { fileData: { fileUri: 'https://x/a', mimeType: 'image/jpeg' } }],
    ['gs://b/a.webp', { fileData: { fileUri: 'gs://b/a.webp', mimeType: 'image/webp' } }],
  ])('have the image %s', (url, part) => {
    expect(contents({ role: 'user', content: [{ type: 'image', url }] })).toEqual([
      { role: 'user', parts: [part] },
    ]);
  });

  it.each(['data:,x', 'data:image/png', 'data:image/png,%zz'])(
    'cannot have the image %s, which is named',
    (url) => {
      expect(() => contents({ role: 'user', content: [{ type: 'image', url }] })).toThrow(
        /`data:` URL/,
      );
    },
  );
});

describe('calls and their results', () => {
  it('have ids, and all results of a turn are in one content, in call order', () => {
    expect(
      contents(
        { role: 'assistant', content: [call('a', 'f', '{"n":1}'), call('b', 'f')] },
        {
          role: 'tool',
          content: [result('a', '1'), result('b', 'no', { status: 'error' })],
        },
        { role: 'user', content: 'And?' },
      ),
    ).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f', args: { n: 1 } } },
          { functionCall: { id: 'b', name: 'f', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { output: '1' } } },
          { functionResponse: { id: 'b', name: 'f', response: { error: 'no' } } },
          { text: 'And?' },
        ],
      },
    ]);
  });

  it.each(['error', 'denied', 'interrupted'] as const)('say that one was %s', (status) => {
    const message: ChatMessage = { role: 'tool', content: [result('a', 'why', { status })] };
    expect(JSON.stringify(contents(message))).toContain('{"error":"why"}');
  });

  it.each([
    ['', {}],
    [' ', {}],
    ['{"a":1}', { a: 1 }],
    ['{"city": "Par', { INVALID_JSON: '{"city": "Par' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['null', { INVALID_JSON: 'null' }],
  ])('have the arguments %j as an object', (json, args) => {
    expect(contents({ role: 'assistant', content: [call('a', 'f', json)] })).toMatchObject([
      { parts: [{ functionCall: { args } }] },
    ]);
  });

  it.each([
    ['$READFILE', '_READFILE'],
    ['search.evidence invalid', 'search.evidence_invalid'],
    ['1st', '_1st'],
    ['', 'unknown_tool'],
    ['é'.repeat(200), '_'.repeat(128)],
    ['9'.repeat(200), `_${'9'.repeat(127)}`],
  ])('have the name %j in a form that the server takes, both alike', (name, legal) => {
    const parts = JSON.stringify(
      contents(
        { role: 'assistant', content: [call('a', name)] },
        { role: 'tool', content: [result('a', 'x', { name })] },
      ),
    );
    expect(parts.split(`"name":"${legal}"`)).toHaveLength(3);
  });

  it('never have an empty result', () => {
    const empty = contents({
      role: 'tool',
      content: [result('a', ''), result('b', []), result('c', [{ type: 'text', text: '' }])],
    });
    expect(JSON.stringify(empty).split('"output":"(no output)"')).toHaveLength(4);
  });

  it('have images after all results', () => {
    expect(
      contents({
        role: 'tool',
        content: [
          result('a', [
            { type: 'text', text: 'A map.' },
            { type: 'image', url: PNG },
          ]),
          result('b', [{ type: 'image', url: 'https://x/y.gif' }]),
        ],
      }),
    ).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { output: 'A map.' } } },
          { functionResponse: { id: 'b', name: 'f', response: { output: '(images, see below)' } } },
          { text: 'Images that the tool f returned for the call a:' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
          { text: 'Images that the tool f returned for the call b:' },
          { fileData: { fileUri: 'https://x/y.gif', mimeType: 'image/gif' } },
        ],
      },
    ]);
  });

  it('have images within the result from Gemini 3 on, but not their addresses', () => {
    const message: ChatMessage = {
      role: 'tool',
      content: [
        result('a', [
          { type: 'image', url: 'https://x/y.gif' },
          { type: 'image', url: PNG },
          { type: 'image', url: 'data:image/gif;base64,AA==' },
        ]),
      ],
    };
    expect(encode([message], { model: 'gemini-3-flash' }).contents).toMatchObject([
      {
        parts: [
          {
            functionResponse: {
              parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }],
            },
          },
          { text: expect.any(String) },
          { fileData: {} },
          { inlineData: { mimeType: 'image/gif' } },
        ],
      },
    ]);
  });

  it('have no ids where the server does not know them', () => {
    const body = encode(
      [
        { role: 'assistant', content: [call('a', 'f')] },
        { role: 'tool', content: [result('a', 'x')] },
      ],
      { callIds: false },
    );
    expect(JSON.stringify(body)).not.toContain('"id"');
  });
});

describe('tools', () => {
  it('are declared with JSON Schema', () => {
    expect(encode([], {}, { tools: [tool()] })).toEqual({
      contents: [],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'Does f.',
              parametersJsonSchema: {
                type: 'object',
                properties: { n: { type: 'integer' } },
                required: ['n'],
              },
            },
          ],
        },
      ],
    });
  });

  it('have only keywords that the server takes (68, 69)', () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        a: { const: 'x' },
        b: { type: 'integer', exclusiveMinimum: 0 },
        c: { oneOf: [{ type: 'string' }, { type: 'null' }] },
        d: { $ref: '#/$defs/D' },
        e: { enum: [1, 2] },
      },
      $defs: { D: { type: 'string', pattern: '^x' } },
    } as const;
    const text = JSON.stringify(encode([], {}, { tools: [tool({ inputSchema })] }).tools);
    expect(text).not.toMatch(/"(?:const|exclusiveMinimum|oneOf|\$schema|pattern)":/);
    expect(text).toContain('"$ref":"#/$defs/D"');
  });

  it('without properties are declared all the same', () => {
    const inputSchema = { type: 'object', properties: {} } as const;
    expect(encode([], {}, { tools: [tool({ inputSchema })] }).tools).toMatchObject([
      { functionDeclarations: [{ parametersJsonSchema: { type: 'object', properties: {} } }] },
    ]);
  });

  it.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ tool: 'f' }, { mode: 'ANY', allowedFunctionNames: ['f'] }],
  ] as const)('are chosen among by %j', (toolChoice, functionCallingConfig) => {
    const body = encode([], {}, { tools: [tool()], toolChoice });
    expect(body.toolConfig).toEqual({ functionCallingConfig });
  });

  it('have no choice without any', () => {
    expect(encode([], {}, { tools: [], toolChoice: 'required' })).toEqual({ contents: [] });
  });

  describe('that are strict', () => {
    const mode = (...tools: ChatTool[]) =>
      encode([], {}, { tools: tools.map((one, index) => ({ ...one, name: `f${index}` })) })
        .toolConfig;

    it('are validated by the server', () => {
      const validated = { functionCallingConfig: { mode: 'VALIDATED' } };
      expect(mode(tool({ strict: true }))).toEqual(validated);
      expect(mode(tool({ strict: true }), tool())).toEqual(validated);
    });

    it('are not if another refuses it, or the schema is not sent whole', () => {
      expect(mode(tool())).toBeUndefined();
      expect(mode(tool({ strict: true }), tool({ strict: false }))).toBeUndefined();
      const inputSchema = {
        type: 'object',
        properties: { a: { type: 'string', pattern: '^x' } },
      } as const;
      expect(mode(tool({ strict: true, inputSchema }))).toBeUndefined();
    });

    it('must be called in the mode for that', () => {
      const body = encode([], {}, { tools: [tool({ strict: true })], toolChoice: 'required' });
      expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'ANY' } });
    });
  });
});

describe('the settings of a request', () => {
  it('are in its configuration', () => {
    expect(settings({ temperature: 0, topP: 0.5, maxTokens: 10, stop: ['.'], seed: 1 })).toEqual({
      temperature: 0,
      topP: 0.5,
      maxOutputTokens: 10,
      stopSequences: ['.'],
      seed: 1,
    });
  });

  it.each([
    [{ type: 'text' }, undefined],
    [{ type: 'json' }, { responseMimeType: 'application/json' }],
    [
      { type: 'json', schema: { type: 'object', properties: { a: { const: 1 } } } },
      {
        responseMimeType: 'application/json',
        responseJsonSchema: {
          type: 'object',
          properties: { a: { type: 'integer', enum: [1] } },
        },
      },
    ],
  ] as const)('ask for the form %j', (responseFormat, config) => {
    expect(settings({ responseFormat })).toEqual(config);
  });

  it.each<[string, Partial<GeminiBodyOptions>, object | undefined]>([
    ['gemini-2.5-pro', {}, undefined],
    ['gemini-2.5-pro', { reasoningBudget: 100 }, { thinkingBudget: 100, includeThoughts: true }],
    ['gemini-2.5-flash', { reasoningBudget: 0 }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash', { reasoningEffort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { reasoningEffort: 'low' }, { thinkingBudget: 1024, includeThoughts: true }],
    [
      'gemini-2.5-pro',
      { reasoningEffort: 'xhigh' },
      { thinkingBudget: 24_576, includeThoughts: true },
    ],
    ['gemini-3-pro', { reasoningEffort: 'low' }, { thinkingLevel: 'LOW', includeThoughts: true }],
    [
      'models/gemini-3.6-flash',
      { reasoningEffort: 'xhigh' },
      { thinkingLevel: 'HIGH', includeThoughts: true },
    ],
    ['gemini-flash-latest', { reasoningEffort: 'none' }, { thinkingLevel: 'MINIMAL' }],
    [
      'gemini-4-new',
      { reasoningEffort: 'EXTREME' },
      { thinkingLevel: 'EXTREME', includeThoughts: true },
    ],
    ['gemini-3-pro', { includeThoughts: true }, { includeThoughts: true }],
    [
      'gemini-3-pro',
      { reasoningEffort: 'high', includeThoughts: false },
      { thinkingLevel: 'HIGH', includeThoughts: false },
    ],
  ])('let %s think as %j', (model, options, thinkingConfig) => {
    expect(settings({ model, ...options })).toEqual(thinkingConfig && { thinkingConfig });
  });

  it('cannot give an effort and a budget, nor an effort that nobody can count', () => {
    expect(() => settings({ reasoningEffort: 'low', reasoningBudget: 1 })).toThrow(
      /`reasoningEffort` and `reasoningBudget`/,
    );
    expect(() => settings({ reasoningEffort: 'extreme' })).toThrow(/"extreme".*minimal, low/);
  });

  it('stand beside those of the body, which win', () => {
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
    expect(
      encode([{ role: 'user', content: 'x' }], {
        temperature: 1,
        topP: 1,
        safetySettings,
        body: {
          contents: undefined,
          cachedContent: 'c',
          generationConfig: { topP: 0, topK: 1 },
        },
      }),
    ).toEqual({
      contents: undefined,
      cachedContent: 'c',
      safetySettings,
      generationConfig: { temperature: 1, topP: 0, topK: 1 },
    });
  });
});
