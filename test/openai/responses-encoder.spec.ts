import { describe, expect, it } from '@jest/globals';
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ProviderMetadata,
  ToolResultPart,
} from 'nestjs-agent-tools';
import { toResponsesBody, type ResponsesBodyOptions } from './responses.exports.js';

const USER: ChatMessage = { role: 'user', content: 'Hi' };
const TOOL: ChatTool = {
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: {
    type: 'object',
    properties: { no: { type: 'string' } },
    required: ['no'],
    additionalProperties: false,
  },
};

type Options = Partial<ResponsesBodyOptions>;

const encode = (request: Partial<ChatRequest>, options: Options = {}): Record<string, unknown> =>
  toResponsesBody({ messages: [USER], ...request }, { model: 'gpt-5', ...options });

const input = (messages: ChatMessage[], options: Options = {}): unknown =>
  encode({ messages, tools: [TOOL] }, options).input;

const turn = (content: AssistantPart[], options: Options = {}): unknown =>
  input([{ role: 'assistant', content }], options);

const of = (values: Record<string, unknown>, provider = 'openai'): ProviderMetadata => ({
  [provider]: values,
});

const reasoning = (index: number | undefined, item: object, provider?: string): AssistantPart => ({
  type: 'reasoning',
  text: 'Hm.',
  providerMetadata: of(
    { ...(index !== undefined && { index }), item: { type: 'reasoning', ...item } },
    provider,
  ),
});

const THOUGHT = {
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'secret',
};
const text = (index: number, content = 'Wait.', more = {}): AssistantPart => ({
  type: 'text',
  text: content,
  providerMetadata: of({ index, id: `msg_${index}`, ...more }),
});
const call = (index: number, id = 'c1', more = {}): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'find_order',
  arguments: '{"no":"7"}',
  providerMetadata: of({ index, id: `fc_${index}`, ...more }),
});
const SENT_THOUGHT = {
  type: 'reasoning',
  summary: THOUGHT.summary,
  encrypted_content: 'secret',
};
const SENT_CALL = {
  type: 'function_call',
  call_id: 'c1',
  name: 'find_order',
  arguments: '{"no":"7"}',
};
const SENT_TEXT = { role: 'assistant', content: 'Wait.' };

describe('toResponsesBody', () => {
  it('keeps nothing with OpenAI, and asks for the reasoning to keep it itself', () => {
    expect(encode({})).toEqual({
      model: 'gpt-5',
      input: [{ role: 'user', content: 'Hi' }],
      store: false,
      include: ['reasoning.encrypted_content'],
    });
    expect(encode({}, { store: true })).toMatchObject({ store: true });
  });

  it.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-5-chat-latest',
    'gpt-5.1-chat',
    'ft:gpt-4o:me',
    'openai/gpt-4o',
  ])('does not ask %s, which has none, for reasoning', (model) => {
    expect(encode({}, { model })).not.toHaveProperty('include');
  });

  it.each(['o3', 'o4-mini', 'gpt-5.4', 'openai/gpt-5', 'gpt-6', 'codex-mini-latest'])(
    'asks %s for its reasoning',
    (model) => {
      expect(encode({}, { model })).toHaveProperty('include');
    },
  );

  it('sends each setting in its field', () => {
    const body = encode(
      { tools: [TOOL] },
      {
        temperature: 0,
        topP: 0.5,
        maxTokens: 99,
        reasoningEffort: 'low',
        reasoningSummary: 'auto',
        verbosity: 'high',
        parallelToolCalls: false,
        stream: true,
      },
    );
    expect(body).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 99,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'high' },
      parallel_tool_calls: false,
      stream: true,
    });
    expect(body).not.toHaveProperty('stream_options');
    expect(encode({}, { parallelToolCalls: false })).not.toHaveProperty('parallel_tool_calls');
  });

  it('lets the fields of the application win, and removes those that are undefined', () => {
    const body = { include: undefined, store: true, metadata: { a: 'b' } };
    const sent = JSON.parse(JSON.stringify(encode({}, { body }))) as unknown;
    expect(sent).toEqual({
      model: 'gpt-5',
      input: [{ role: 'user', content: 'Hi' }],
      store: true,
      metadata: { a: 'b' },
    });
  });

  it('always says whether a tool is strict', () => {
    const open: ChatTool = {
      ...TOOL,
      name: 'fill',
      strict: true,
      inputSchema: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    };
    const { tools } = encode({ tools: [TOOL, { ...TOOL, strict: true }, open] });
    expect(tools).toMatchObject([
      { type: 'function', name: 'find_order', description: 'Finds an order.', strict: false },
      { strict: true, parameters: TOOL.inputSchema },
      // A record cannot be strict.
      { name: 'fill', strict: false, parameters: { properties: {} } },
    ]);
  });

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'find_order' }, { type: 'function', name: 'find_order' }],
  ] as const)('sends the choice %j as %j', (toolChoice, sent) => {
    expect(encode({ tools: [TOOL], toolChoice }).tool_choice).toEqual(sent);
    expect(encode({ toolChoice })).not.toHaveProperty('tool_choice');
  });

  it('asks for the form of an answer', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
      additionalProperties: false,
    } as const;
    const format = (responseFormat: Options['responseFormat']) =>
      encode({}, { responseFormat }).text;
    expect(format({ type: 'json', schema, name: 'count', description: 'A number.' })).toEqual({
      format: {
        type: 'json_schema',
        name: 'count',
        description: 'A number.',
        schema,
        strict: true,
      },
    });
    expect(format({ type: 'json' })).toEqual({ format: { type: 'json_object' } });
    expect(format({ type: 'text' })).toEqual({ format: { type: 'text' } });
  });

  it('sends system messages where they are, and images of users', () => {
    expect(
      input([
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url: 'data:image/png;base64,AA==' },
          ],
        },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        ],
      },
    ]);
  });

  it('sends results in the order of the calls, with images within them', () => {
    const result = (callId: string, content: ToolResultPart['content']): ToolResultPart => ({
      type: 'tool-result',
      callId,
      name: 'find_order',
      status: 'success',
      content,
    });
    const texts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const;
    const image = { type: 'image', url: 'https://x.example/i.png' } as const;
    const sent = input([
      {
        role: 'tool',
        content: [
          result('1', 'one'),
          result('2', ''),
          result('3', texts),
          result('4', [texts[0], image]),
          result('5', []),
        ],
      },
    ]);
    const type = 'function_call_output';
    expect(sent).toEqual([
      { type, call_id: '1', output: 'one' },
      { type, call_id: '2', output: '(no output)' },
      { type, call_id: '3', output: 'a\nb' },
      {
        type,
        call_id: '4',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'https://x.example/i.png', detail: 'auto' },
        ],
      },
      { type, call_id: '5', output: '(no output)' },
    ]);
  });

  it('makes names, arguments and ids of calls such as the API takes', () => {
    const made = (part: object) =>
      input([
        {
          role: 'assistant',
          content: [{ type: 'tool-call', id: 'c', name: 'f', arguments: '{}', ...part }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              callId: 'c',
              name: 'f',
              status: 'error',
              content: 'x',
              ...part,
              ...('id' in part && { callId: String(part.id) }),
            },
          ] as ToolResultPart[],
        },
      ] as ChatMessage[]) as { call_id: string }[];
    expect(made({ name: 'a b.c', arguments: '' })[0]).toMatchObject({
      name: 'a_b_c',
      arguments: '{}',
    });
    expect(made({ arguments: '{"a": "Par' })[0]).toMatchObject({
      arguments: '{"INVALID_JSON":"{\\"a\\": \\"Par"}',
    });
    const [sent, output] = made({ id: 'x'.repeat(65) });
    expect(sent.call_id.length).toBeLessThanOrEqual(64);
    expect(output.call_id).toBe(sent.call_id);
  });
});

describe('a turn of the model', () => {
  it('goes back in the order in which it came', () => {
    const content = [
      reasoning(0, THOUGHT),
      text(1),
      reasoning(3, THOUGHT),
      text(5),
      call(2),
      call(4, 'c2'),
    ];
    expect(turn(content)).toEqual([
      SENT_THOUGHT,
      SENT_TEXT,
      SENT_CALL,
      SENT_THOUGHT,
      { ...SENT_CALL, call_id: 'c2' },
      SENT_TEXT,
    ]);
  });

  it('goes back as it is stored if the place of a part is not known', () => {
    const { providerMetadata: _, ...unplaced } = call(0);
    expect(turn([text(3), unplaced as AssistantPart])).toEqual([SENT_TEXT, SENT_CALL]);
  });

  it('goes back as it is stored if the place of a part is no number', () => {
    expect(turn([text('1' as unknown as number), call(0)])).toEqual([SENT_TEXT, SENT_CALL]);
  });

  it('keeps the phase of a message and the namespace of a call', () => {
    const content = [
      text(0, 'Wait.', { phase: 'commentary' }),
      call(1, 'c1', { namespace: 'shop' }),
    ];
    expect(turn(content)).toEqual([
      { ...SENT_TEXT, phase: 'commentary' },
      { ...SENT_CALL, namespace: 'shop' },
    ]);
  });

  it('sends no ids to a server that keeps nothing, as it would look for them', () => {
    expect(JSON.stringify(turn([reasoning(0, THOUGHT), text(1), call(2)]))).not.toMatch(
      /rs_1|msg_1|fc_2/,
    );
  });

  it('sends the ids of a whole turn to a server that keeps it', () => {
    expect(turn([reasoning(0, THOUGHT), text(1), call(2)], { store: true })).toEqual([
      { ...SENT_THOUGHT, id: 'rs_1' },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Wait.', annotations: [] }],
      },
      { ...SENT_CALL, id: 'fc_2' },
    ]);
  });

  it('sends no ids of a turn that lacks an item, which the server would miss', () => {
    expect(turn([text(1), call(2)], { store: true })).toEqual([SENT_TEXT, SENT_CALL]);
  });

  it('drops reasoning whose item is gone', () => {
    expect(turn([reasoning(0, THOUGHT)])).toEqual([]);
    expect(turn([reasoning(0, THOUGHT), reasoning(1, THOUGHT)])).toEqual([]);
    expect(turn([reasoning(0, THOUGHT), call(2)])).toEqual([SENT_CALL]);
    expect(turn([text(0), reasoning(1, THOUGHT)])).toEqual([SENT_TEXT]);
    expect(turn([reasoning(0, THOUGHT), text(1, '')])).toEqual([]);
  });

  it('drops reasoning that the server cannot read', () => {
    const { encrypted_content: _, ...unreadable } = THOUGHT;
    const kept = (item: object, options?: Options) => turn([reasoning(0, item), call(1)], options);
    expect(kept(unreadable)).toEqual([SENT_CALL]);
    expect(kept({ ...unreadable, encrypted_content: '' })).toEqual([SENT_CALL]);
    expect(kept(unreadable, { store: true })).toMatchObject([{ id: 'rs_1' }, { id: 'fc_1' }]);
    expect(turn([{ type: 'reasoning', text: 'Of nobody.' }, call(0)])).toEqual([SENT_CALL]);
  });

  it('drops reasoning of another provider', () => {
    const foreign = reasoning(0, THOUGHT, 'azure');
    expect(turn([foreign, call(1)])).toEqual([SENT_CALL]);
    expect(turn([foreign, call(1)], { store: true })).toEqual([SENT_CALL]);
  });

  it.each([null, 'x', { index: 'a', item: 7, id: 1 }, { index: -0.5, item: null }])(
    'does not stumble over stored metadata like %j',
    (values) => {
      const metadata = { openai: values } as unknown as ProviderMetadata;
      const content = [
        { type: 'reasoning', text: 'Hm.', providerMetadata: metadata },
        { ...call(0), providerMetadata: metadata },
      ] as AssistantPart[];
      expect(turn(content)).toEqual([SENT_CALL]);
    },
  );

  it('puts pieces of one message together between which others came', () => {
    const content = [text(1, 'Wa'), reasoning(0, THOUGHT), text(1, 'it.')];
    expect(turn(content)).toEqual([SENT_THOUGHT, SENT_TEXT]);
  });
});

describe('what tools of the server did', () => {
  const opaque = (type: string): AssistantPart => ({
    type: 'reasoning',
    text: '',
    providerMetadata: of({ index: 0, item: { type, id: 'x_1', status: 'completed' } }),
  });

  it.each(['web_search_call', 'tool_search_call', 'tool_search_output', 'compaction'])(
    'goes back without its id if it is whole: %s',
    (type) => {
      expect(turn([opaque(type), text(1)])).toEqual([{ type, status: 'completed' }, SENT_TEXT]);
    },
  );

  it.each([
    'code_interpreter_call',
    'file_search_call',
    'image_generation_call',
    'mcp_call',
    'mcp_list_tools',
  ])('goes back only to a server that kept it: %s', (type) => {
    expect(turn([opaque(type), text(1)])).toEqual([SENT_TEXT]);
    expect(turn([opaque(type), text(1)], { store: true })).toMatchObject([
      { type, id: 'x_1' },
      { id: 'msg_1' },
    ]);
  });

  it.each([
    'custom_tool_call',
    'computer_call',
    'local_shell_call',
    'mcp_approval_request',
    'later_call',
  ])('does not go back if it waits for an answer that nobody gives: %s', (type) => {
    expect(turn([opaque(type), text(1)], { store: true })).toEqual([SENT_TEXT]);
  });

  it('takes the reasoning before it along if it stays away itself', () => {
    const search: AssistantPart = {
      type: 'reasoning',
      text: '',
      providerMetadata: of({ index: 1, item: { type: 'mcp_call', id: 'x_1' } }),
    };
    expect(turn([reasoning(0, THOUGHT), search, text(2)])).toEqual([SENT_TEXT]);
  });
});

describe('other servers', () => {
  it.each(['groq', 'ollama', 'vllm', 'lmstudio', 'huggingface'] as const)(
    'asks %s for nothing that it may not know',
    (profile) => {
      const body = encode({}, { profile });
      expect(body).not.toHaveProperty('store');
      expect(body).not.toHaveProperty('include');
      const content = [
        reasoning(0, THOUGHT, profile),
        { ...call(1), providerMetadata: of({ index: 1 }, profile) },
      ];
      expect(turn(content, { profile })).toEqual([SENT_CALL]);
    },
  );

  it('gives DeepSeek its reasoning as text, and its calls last', () => {
    const profile = 'deepseek';
    const content = [{ type: 'reasoning_text', text: 'Hm.' }];
    const item = { id: 'r', summary: [], content };
    const placed = (part: AssistantPart, index: number): AssistantPart => ({
      ...part,
      providerMetadata: of({ index }, profile),
    });
    const parts = [
      reasoning(0, item, profile),
      placed(text(0), 2),
      placed(call(0), 1),
      placed(call(0, 'c2'), 3),
    ];
    expect(turn(parts, { profile })).toEqual([
      { type: 'reasoning', id: 'r', summary: [], content },
      SENT_TEXT,
      SENT_CALL,
      { ...SENT_CALL, call_id: 'c2' },
    ]);
  });

  it('gives OpenRouter and xAI the ids of reasoning, without which they refuse it', () => {
    for (const profile of ['openrouter', 'xai'] as const) {
      const placed = {
        ...call(0),
        providerMetadata: of({ index: 1, id: 'fc' }, profile),
      } as AssistantPart;
      expect(turn([reasoning(0, THOUGHT, profile), placed], { profile })).toEqual([
        { ...SENT_THOUGHT, id: 'rs_1' },
        SENT_CALL,
      ]);
    }
  });

  it('says a schema in the instructions where it cannot be asked for', () => {
    const schema = { type: 'object', properties: {} } as const;
    const body = encode({}, { profile: 'deepseek', responseFormat: { type: 'json', schema } });
    expect(body).toMatchObject({
      text: { format: { type: 'json_object' } },
      input: [{ role: 'system' }, { role: 'user' }],
    });
  });

  it('finds them by the base URL', () => {
    expect(encode({}, { baseURL: 'https://api.groq.com/openai/v1' })).not.toHaveProperty('store');
    expect(encode({}, { baseURL: 'https://gateway.example/v1' })).toHaveProperty('store', false);
  });

  it('refuses those that have no Responses API, and storing where nothing is stored', () => {
    expect(() => encode({}, { baseURL: 'https://api.mistral.ai/v1' })).toThrow(
      /"mistral" is not known to have the Responses API\. Use openai\(/,
    );
    expect(() => encode({}, { profile: 'nobody' as 'openai' })).toThrow(/openai, azure/);
    expect(() => encode({}, { profile: 'groq', store: true })).toThrow(/Leave `store` out/);
  });
});
