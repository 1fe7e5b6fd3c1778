import { describe, expect, it } from '@jest/globals';
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ToolCallPart,
} from 'nestjs-agent-tools';
import { toChatCompletionsBody } from 'nestjs-agent-tools/openai';

const USER: ChatMessage = { role: 'user', content: 'Hi' };
const TOOL: ChatTool = {
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] },
};
const CALL: ToolCallPart = {
  type: 'tool-call',
  id: 'c1',
  name: 'find_order',
  arguments: '{"no":"7"}',
};
const REASONING: AssistantPart = { type: 'reasoning', text: 'Hm.' };

const encode = (request: Partial<ChatRequest>, options = {}): Record<string, unknown> =>
  toChatCompletionsBody({ messages: [USER], ...request }, { model: 'm', ...options });

const messages = (list: ChatMessage[], options = {}, tools: ChatTool[] = [TOOL]): unknown =>
  encode({ messages: list, tools }, options).messages;

const assistant = (content: AssistantPart[], options = {}): unknown =>
  messages([{ role: 'assistant', content }], options);

describe('toChatCompletionsBody', () => {
  it('sends no more than it must', () => {
    expect(encode({})).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    expect(encode({ tools: [], toolChoice: 'required' }, { parallelToolCalls: false })).toEqual(
      encode({}),
    );
  });

  it('sends each option in its field', () => {
    const options = { temperature: 0, reasoningEffort: 'low', parallelToolCalls: false };
    expect(encode({ tools: [TOOL] }, options)).toMatchObject({
      temperature: 0,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    });
  });

  it.each([
    [undefined, 'max_completion_tokens'],
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://eu.api.openai.com/v1/', 'max_completion_tokens'],
    ['http://localhost:11434/v1', 'max_tokens'],
    ['https://openrouter.ai/api/v1', 'max_tokens'],
    ['https://api.openai.com.evil.example/v1', 'max_tokens'],
  ])('sends the token limit to %s as %s', (baseURL, field) => {
    expect(encode({}, { maxTokens: 5, baseURL })).toEqual({ ...encode({}), [field]: 5 });
  });

  it('sends the token limit in the field that the application names', () => {
    const options = { maxTokens: 5, profile: { maxTokensField: 'max_tokens' } };
    expect(encode({}, options)).toEqual({ ...encode({}), max_tokens: 5 });
  });

  it('lets the application add, change and remove fields', () => {
    const body = { top_p: 0.5, temperature: 1, model: undefined };
    expect(JSON.parse(JSON.stringify(encode({}, { temperature: 0, body })))).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
      top_p: 0.5,
      temperature: 1,
    });
  });

  describe('encodes tools', () => {
    it('with their schema, and strict only if it is set', () => {
      expect(encode({ tools: [TOOL, { ...TOOL, strict: true }] }).tools).toEqual([
        {
          type: 'function',
          function: {
            name: 'find_order',
            description: 'Finds an order.',
            parameters: TOOL.inputSchema,
          },
        },
        { type: 'function', function: expect.objectContaining({ strict: true }) },
      ]);
    });

    it.each([
      ['auto', 'auto'],
      ['none', 'none'],
      ['required', 'required'],
      [{ tool: 'find_order' }, { type: 'function', function: { name: 'find_order' } }],
    ] as const)('with the choice %j', (toolChoice, wire) => {
      expect(encode({ tools: [TOOL], toolChoice }).tool_choice).toEqual(wire);
    });
  });

  it('encodes system and user messages', () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA' } as const;
    expect(
      messages([
        { role: 'system', content: 'Be brief.' },
        USER,
        { role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ]);
  });

  describe('encodes assistant messages', () => {
    const wireCall = {
      id: 'c1',
      type: 'function',
      function: { name: 'find_order', arguments: '{"no":"7"}' },
    };

    it('with text, calls or both', () => {
      const text: AssistantPart = { type: 'text', text: 'I look.' };
      expect(assistant([text])).toEqual([{ role: 'assistant', content: 'I look.' }]);
      expect(assistant([text, CALL])).toEqual([
        { role: 'assistant', content: 'I look.', tool_calls: [wireCall] },
      ]);
    });

    it('with null for no text only beside calls', () => {
      expect(assistant([CALL])).toEqual([
        { role: 'assistant', content: null, tool_calls: [wireCall] },
      ]);
      expect(assistant([{ type: 'text', text: '' }])).toEqual([{ role: 'assistant', content: '' }]);
      expect(assistant([])).toEqual([{ role: 'assistant', content: '' }]);
    });

    it('without reasoning, and not at all if nothing else is in them', () => {
      expect(assistant([REASONING, CALL])).toEqual([
        { role: 'assistant', content: null, tool_calls: [wireCall] },
      ]);
      expect(assistant([REASONING])).toEqual([]);
    });

    it('with reasoning beside calls, if asked for', () => {
      expect(
        assistant([REASONING, CALL], { profile: { echoReasoning: 'reasoning_content' } }),
      ).toEqual([
        { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [wireCall] },
      ]);
      expect(assistant([REASONING, CALL], { profile: { echoReasoning: 'reasoning' } })).toEqual([
        { role: 'assistant', content: null, reasoning: 'Hm.', tool_calls: [wireCall] },
      ]);
      expect(assistant([CALL], { profile: { echoReasoning: 'reasoning_content' } })).toEqual([
        { role: 'assistant', content: null, reasoning_content: '', tool_calls: [wireCall] },
      ]);
      expect(
        assistant([REASONING, { type: 'text', text: 'A' }], {
          profile: { echoReasoning: 'reasoning_content' },
        }),
      ).toEqual([{ role: 'assistant', content: 'A' }]);
    });

    it('with the details of reasoning instead of its text, where there are some', () => {
      const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }];
      const part: AssistantPart = {
        ...REASONING,
        providerMetadata: { openai: { reasoning_details: details } },
      };
      expect(assistant([part, CALL], { profile: { echoReasoning: 'reasoning_content' } })).toEqual([
        { role: 'assistant', content: null, reasoning_details: details, tool_calls: [wireCall] },
      ]);
    });

    it('with the opaque values of a call', () => {
      const extra = { google: { thought_signature: 'abc' } };
      const part: AssistantPart = {
        ...CALL,
        providerMetadata: { openai: { extra_content: extra } },
      };
      expect(assistant([part])).toEqual([
        { role: 'assistant', content: null, tool_calls: [{ ...wireCall, extra_content: extra }] },
      ]);
    });

    it.each([
      ['', '{}'],
      [' \n', '{}'],
      ['{"a": 1}', '{"a": 1}'],
      ['{"city": "Par', '{"INVALID_JSON":"{\\"city\\": \\"Par"}'],
      ['[1]', '{"INVALID_JSON":"[1]"}'],
      ['null', '{"INVALID_JSON":"null"}'],
    ])('with the arguments %j as %s', (json, wire) => {
      expect(assistant([{ ...CALL, arguments: json }])).toEqual([
        expect.objectContaining({
          tool_calls: [{ ...wireCall, function: { name: 'find_order', arguments: wire } }],
        }),
      ]);
    });

    it.each([
      ['$READ FILE', '_READ_FILE'],
      ['', 'unknown_tool'],
      ['x'.repeat(70), 'x'.repeat(64)],
      ['orders.find', 'orders_find'],
    ])('with a name that a server may refuse made harmless: %j', (name, wire) => {
      expect(assistant([{ ...CALL, name }])).toEqual([
        expect.objectContaining({
          tool_calls: [{ ...wireCall, function: { name: wire, arguments: '{"no":"7"}' } }],
        }),
      ]);
    });

    it('with the name of a tool of the request as it is', () => {
      const tool = { ...TOOL, name: 'orders.find' };
      const call = { ...CALL, name: 'orders.find' };
      expect(messages([{ role: 'assistant', content: [call] }], {}, [tool])).toMatchObject([
        { tool_calls: [{ function: { name: 'orders.find' } }] },
      ]);
    });
  });

  it('encodes each tool result as a message of its own, images in one after them all', () => {
    const result = { type: 'tool-result', name: 'f', status: 'success' } as const;
    const text = (value: string) => ({ type: 'text', text: value }) as const;
    const image = (url: string) => ({ type: 'image', url }) as const;
    expect(
      messages([
        {
          role: 'tool',
          content: [
            { ...result, callId: 'a', content: 'one' },
            { ...result, callId: 'b', content: [text('two'), image('https://x/1'), text('three')] },
            { ...result, callId: 'c', content: [image('https://x/2')] },
            { ...result, callId: 'd', content: '', status: 'error' },
          ],
        },
      ]),
    ).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'two\nthree' },
      { role: 'tool', tool_call_id: 'c', content: '(images, see below)' },
      { role: 'tool', tool_call_id: 'd', content: '(no output)' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images that the tool f returned for the call b:' },
          { type: 'image_url', image_url: { url: 'https://x/1' } },
          { type: 'text', text: 'Images that the tool f returned for the call c:' },
          { type: 'image_url', image_url: { url: 'https://x/2' } },
        ],
      },
    ]);
  });

  it('names an image of a result by the id under which its call is sent', () => {
    const id = 'x'.repeat(41);
    const content = [{ type: 'image', url: 'https://x/1' }] as const;
    const result = { type: 'tool-result', callId: id, name: 'f', status: 'success' } as const;
    const [assistant, tool, user] = messages([
      { role: 'assistant', content: [{ ...CALL, id }] },
      { role: 'tool', content: [{ ...result, content }] },
    ]) as Record<string, [{ id: string; text: string }]>[];
    const sent = assistant?.tool_calls?.[0].id;
    expect(sent).toHaveLength(37);
    expect(tool?.tool_call_id).toBe(sent);
    expect(user?.content?.[0].text).toContain(`for the call ${sent}:`);
  });

  it.each([null, 'x', 7, [1]])('does not stumble over stored metadata like %j', (values) => {
    const providerMetadata = { openai: values } as never;
    const parts = [
      { ...REASONING, providerMetadata },
      { ...CALL, providerMetadata },
    ];
    const options = { profile: { echoReasoning: 'reasoning' } };
    expect(assistant(parts, options)).toEqual(assistant([REASONING, CALL], options));
    const none = [{ ...REASONING, providerMetadata: null as never }, CALL];
    expect(assistant(none, options)).toEqual(assistant([REASONING, CALL], options));
  });

  it('changes nothing of the request', () => {
    const request: ChatRequest = {
      messages: [USER, { role: 'assistant', content: [REASONING, CALL] }],
      tools: [TOOL],
    };
    const before = structuredClone(request);
    encode(request, { profile: { echoReasoning: 'reasoning_content' } });
    expect(request).toEqual(before);
  });
});
