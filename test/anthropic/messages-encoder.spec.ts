import { describe, expect, it } from '@jest/globals';
import type {
  AssistantPart,
  ChatMessage,
  ToolResultPart,
  ToolResultStatus,
} from 'nestjs-agent-tools';
import { toAnthropicBody } from 'nestjs-agent-tools/anthropic';

interface Turn {
  readonly role: string;
  readonly content: readonly Record<string, unknown>[];
}

const user = (content: string): ChatMessage => ({ role: 'user', content });
const says = (...content: AssistantPart[]): ChatMessage => ({ role: 'assistant', content });
const text = (content: string): AssistantPart => ({ type: 'text', text: content });
const call = (id: string, args = '{}', name = 'find'): AssistantPart => ({
  type: 'tool-call',
  id,
  name,
  arguments: args,
});
const result = (
  callId: string,
  content: ToolResultPart['content'] = 'ok',
  status: ToolResultStatus = 'success',
): ToolResultPart => ({ type: 'tool-result', callId, name: 'find', status, content });
const results = (...content: ToolResultPart[]): ChatMessage => ({ role: 'tool', content });
const thought = (content: string, metadata: Record<string, unknown>): AssistantPart => ({
  type: 'reasoning',
  text: content,
  providerMetadata: { anthropic: metadata },
});

function encode(...messages: ChatMessage[]): Turn[] {
  return bodyOf(...messages).messages as Turn[];
}

function bodyOf(...messages: ChatMessage[]): Record<string, unknown> {
  return toAnthropicBody({ messages }, { model: 'claude-opus-4-6' });
}

/** The blocks of the first answer of the model. */
function answer(...content: AssistantPart[]): Turn['content'] {
  const turn = encode(user('Hi'), says(...content), user('Go on')).find(
    ({ role }) => role === 'assistant',
  );
  return turn?.content ?? [];
}

/** The first block that the user sends back. */
function resultOf(...content: ToolResultPart[]): Record<string, unknown> | undefined {
  return encode(user('Hi'), says(call('c1')), results(...content))[2]?.content[0];
}

describe('system messages', () => {
  it('become one text before the conversation, those within it, too', () => {
    const body = bodyOf(
      { role: 'system', content: 'Be kind.' },
      user('Hi'),
      { role: 'system', content: '  ' },
      { role: 'system', content: 'Be brief.' },
    );
    expect(body.system).toBe('Be kind.\n\nBe brief.');
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
  });

  it('are not sent if there are none', () => {
    expect(bodyOf(user('Hi'))).not.toHaveProperty('system');
  });
});

describe('messages of the user', () => {
  it('carry images by their address or with their content', () => {
    const [turn] = encode({
      role: 'user',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image', url: 'https://example.com/a.png' },
        { type: 'image', url: 'data:image/PNG;base64,iVBORw0' },
      ],
    });
    expect(turn?.content).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0' } },
    ]);
  });

  it.each([
    ['http://example.com/a.png', 'https:'],
    ['data:image/svg+xml;base64,AAAA', 'image/svg+xml'],
    ['data:image/png,AAAA', 'base64'],
    ['data:image/png;base64', 'base64'],
  ])('refuse the image %s with the remedy', (url, remedy) => {
    const request = () => encode({ role: 'user', content: [{ type: 'image', url }] });
    expect(request).toThrow(remedy);
  });

  it('show no more than the beginning of an unusable image', () => {
    const url = `data:text/plain;base64,${'A'.repeat(10_000)}`;
    let message = '';
    try {
      encode({ role: 'user', content: [{ type: 'image', url }] });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('data:text/plain');
    expect(message.length).toBeLessThan(250);
  });

  it('carry any block of Anthropic’s that is given as metadata', () => {
    const block = { type: 'container_upload', file_id: 'file_1' };
    const [turn] = encode({
      role: 'user',
      content: [{ type: 'text', text: '', providerMetadata: { anthropic: { block } } }],
    });
    expect(turn?.content).toEqual([block]);
  });

  it('are one message if they are neighbours', () => {
    expect(encode(user('One'), user(' '), user('Two'))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two' },
        ],
      },
    ]);
  });

  it('begin the conversation, whatever is stored', () => {
    const opening = { role: 'user', content: [{ type: 'text', text: '(no message)' }] };
    expect(encode(says(text('Hello!')), user('Hi'))[0]).toEqual(opening);
    expect(encode()).toEqual([opening]);
  });
});

describe('results of tools', () => {
  it('are in one message of the user, before its text (fault 44)', () => {
    const turns = encode(
      user('Hi'),
      says(call('c1'), call('c2'), call('c3')),
      results(result('c1', 'one'), result('c2', 'two'), result('c3', 'three')),
      user('And now?'),
    );
    expect(turns).toHaveLength(3);
    expect(turns[2]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
        { type: 'tool_result', tool_use_id: 'c2', content: 'two' },
        { type: 'tool_result', tool_use_id: 'c3', content: 'three' },
        { type: 'text', text: 'And now?' },
      ],
    });
  });

  it('come first even if a text was stored before them', () => {
    const turns = encode(user('Hi'), says(call('c1')), user('Wait'), results(result('c1')));
    expect(turns[2]?.content.map(({ type }) => type)).toEqual(['tool_result', 'text']);
  });

  it.each(['error', 'denied', 'interrupted'] as const)('say that %s is an error', (status) => {
    expect(resultOf(result('c1', 'No.', status))).toMatchObject({ content: 'No.', is_error: true });
    expect(resultOf(result('c1'))).not.toHaveProperty('is_error');
  });

  it('are never empty (fault 43)', () => {
    for (const content of ['', '  ', [], [{ type: 'text', text: '' } as const]]) {
      expect(resultOf(result('c1', content))).toMatchObject({ content: '(no output)' });
    }
  });

  it('carry images', () => {
    const content = [
      { type: 'text', text: 'A chart:' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ] as const;
    expect(resultOf(result('c1', content))?.content).toEqual([
      { type: 'text', text: 'A chart:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ]);
  });
});

describe('messages of the model', () => {
  it('have their calls last (fault 46)', () => {
    const types = answer(call('c1'), text('I look it up.'), call('c2')).map(({ type }) => type);
    expect(types).toEqual(['text', 'tool_use', 'tool_use']);
  });

  it('have their calls last when neighbours are joined', () => {
    const [, turn] = encode(
      user('Hi'),
      says(call('c1')),
      says(text('Looking.')),
      results(result('c1')),
    );
    expect(turn?.content.map(({ type }) => type)).toEqual(['text', 'tool_use']);
  });

  it('keep signed thinking in its place, each block with its own signature', () => {
    expect(
      answer(
        thought('One.', { signature: 's1' }),
        thought('Two.', { signature: 's2' }),
        thought('', { redactedData: 'secret' }),
        text('Looking.'),
        call('c1'),
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'One.', signature: 's1' },
      { type: 'thinking', thinking: 'Two.', signature: 's2' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'c1', name: 'find', input: {} },
    ]);
  });

  it('keep thinking that only Anthropic can read, as newer models have it', () => {
    expect(answer(thought('', { signature: 's1' }), text('Hi'))[0]).toEqual({
      type: 'thinking',
      thinking: '',
      signature: 's1',
    });
  });

  it.each([
    ['an empty signature (fault 94)', { anthropic: { signature: '' } }],
    ['a signature that is no text', { anthropic: { signature: 7 } }],
    ['no signature', undefined],
    ['the signature of another provider (fault 96)', { google: { thoughtSignature: 'x' } }],
    ['metadata of another form', { anthropic: null as unknown as Record<string, unknown> }],
  ])('lose thinking with %s', (_name, providerMetadata) => {
    const part: AssistantPart = { type: 'reasoning', text: 'Hm.', providerMetadata };
    expect(answer(part, text('Hi'))).toEqual([{ type: 'text', text: 'Hi' }]);
    // A turn that is empty then must go, too (fault 95).
    expect(encode(user('Hi'), says(part), user('Go on'))).toHaveLength(1);
  });

  it('do not end in thinking, which Anthropic refuses', () => {
    const signed = thought('Hm.', { signature: 's' });
    expect(answer(text('Hi'), signed)).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(encode(user('Hi'), says(signed), user('Go on'))).toHaveLength(1);
  });

  it('have no blank texts, and no white space at the very end', () => {
    expect(answer(text(''), text(' \n'), text('Hi '))).toEqual([{ type: 'text', text: 'Hi ' }]);
    const turns = encode(user('Hi'), says(text('The answer is \n')));
    expect(turns[1]?.content).toEqual([{ type: 'text', text: 'The answer is' }]);
  });

  it('keep what Anthropic’s own tools left, unchanged and in order', () => {
    const use = {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: { query: 'x' },
    };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
    const citations = [{ type: 'web_search_result_location', url: 'https://example.com' }];
    const cited: AssistantPart = {
      type: 'text',
      text: 'It is so.',
      providerMetadata: { anthropic: { citations } },
    };
    const blocks = answer(
      text('I search.'),
      thought('', { block: use }),
      thought('', { block: found }),
      cited,
    );
    expect(blocks).toEqual([
      { type: 'text', text: 'I search.' },
      use,
      found,
      { type: 'text', text: 'It is so.', citations },
    ]);
  });

  it('survive storage as JSON (fault 95)', () => {
    const messages = [
      user('Hi'),
      says(thought('One.', { signature: 's1' }), text('Hi'), call('c1')),
      results(result('c1')),
    ];
    const stored = JSON.parse(JSON.stringify(messages)) as ChatMessage[];
    expect(encode(...stored)).toEqual(encode(...messages));
  });
});

describe('calls', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['{"a":1}', { a: 1 }],
    ['{"city": "Par', { INVALID_JSON: '{"city": "Par' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['null', { INVALID_JSON: 'null' }],
    ['"x"', { INVALID_JSON: '"x"' }],
  ])('with the arguments %j have an object as input (faults 17, 19)', (json, input) => {
    expect(answer(call('c1', json))[0]?.input).toEqual(input);
  });

  it('without arguments, as others may store them, have an empty input (fault 18)', () => {
    const broken = { ...call('c1'), arguments: undefined } as unknown as AssistantPart;
    expect(answer(broken)[0]?.input).toEqual({});
  });

  it('do not reach a prototype by their arguments', () => {
    const input = answer(call('c1', '{"__proto__":{"admin":true}}'))[0]?.input as object;
    expect(JSON.stringify(input)).toBe('{"__proto__":{"admin":true}}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('have ids that Anthropic takes, the same for the result', () => {
    const turns = encode(
      user('Hi'),
      says(call('call|1'), call('call/1'), call('toolu_1')),
      results(result('call|1'), result('call/1'), result('toolu_1')),
    );
    const ids = turns[1]?.content.map(({ id }) => String(id)) ?? [];
    expect(turns[2]?.content.map(({ tool_use_id: id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('toolu_1');
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(encode(user('Hi'), says(call('call|1')))[1]?.content[0]?.id).toBe(ids[0]);
  });

  it('have a name that Anthropic takes, whatever the model made up (fault 33)', () => {
    const nameOf = (name: string) => answer(call('c1', '{}', name))[0]?.name;
    expect(nameOf('$READFILE')).toBe('_READFILE');
    expect(nameOf('search.evidence invalid')).toBe('search_evidence_invalid');
    expect(nameOf('')).toBe('unknown_tool');
    expect(nameOf('x'.repeat(90))).toHaveLength(64);
    expect(nameOf('constructor')).toBe('constructor');
  });
});

it('leaves the given messages as they are', () => {
  const messages = [user('Hi'), says(text('Hello ')), user('One'), user('Two'), says(text('x '))];
  const before = structuredClone(messages);
  encode(...messages);
  expect(messages).toEqual(before);
});
