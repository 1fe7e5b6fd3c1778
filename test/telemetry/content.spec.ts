/** What is said in a run leaves the process only if the application asks for it. */
import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { openShop, QUESTION, WAYS } from './support/shop.js';
import { STATUS } from './support/shop.tools.js';
import { endingOf, exceptionOf, jsonOf, recordSpans } from './support/spans.js';

const ORDER = { orderNo: 'A-1042' };
const INSTRUCTIONS = 'You are a clerk.';
const WITH_CONTENT = { telemetry: { content: true } } as const;
const SECRETS = [QUESTION, INSTRUCTIONS, 'A-1042', STATUS, 'On its way', 'hunter2', 'tok-result'];

const CONTENT_ATTRIBUTES = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
];

function script() {
  return scripted([
    [
      { tool: 'find', arguments: ORDER },
      { tool: 'refuse', arguments: ORDER },
      { tool: 'crashOpenly', arguments: ORDER },
      { tool: 'closed', arguments: ORDER },
      { tool: 'find', arguments: { orderNo: { no: 'A-1042' } } },
      { tool: 'find', arguments: '{"orderNo": "A-1042' },
      { tool: 'find', arguments: 'A-1042' },
      { tool: 'login', arguments: { user: 'ada', password: 'hunter2' } },
    ],
    'On its way.',
  ]);
}

describe.each([
  ['by default', undefined],
  ['with an empty option', {}],
  ['with `content: false`', { content: false }],
])('%s', (_name, telemetry) => {
  it.each(WAYS)('no span of a %s says what was said', async (_way, run) => {
    const spans = recordSpans();
    const options = { instructions: INSTRUCTIONS, ...(telemetry && { telemetry }) };
    const { agent, shop } = await openShop(script(), options);
    const result = await run(agent);
    expect(shop.seen.runs).toContain('find');
    const said = JSON.stringify(result.messages);
    for (const secret of ['A-1042', STATUS, 'hunter2', 'tok-result', 'is gone']) {
      expect(said).toContain(secret);
    }
    for (const secret of [...SECRETS, 'is gone', 'There is no order']) {
      expect(spans.text).not.toContain(secret);
    }
    const used = spans.all.flatMap(({ attributes }) => Object.keys(attributes));
    expect(used.filter((name) => CONTENT_ATTRIBUTES.includes(name))).toEqual([]);
  });
});

it('without content, an exception that is written for the model has its class and stack only', async () => {
  const spans = recordSpans();
  const { app } = await openShop(scripted([]));
  await callTool(app, 'refuse', ORDER);
  const span = spans.only('execute_tool refuse');
  expect(endingOf(span)).toBe('ToolFailedException');
  expect(span.status.message).toBeUndefined();
  expect(exceptionOf(span)).toEqual({
    'exception.type': 'ToolFailedException',
    'exception.stacktrace': expect.stringMatching(/^ToolFailedException\n {4}at .*refuse/),
  });
});

it('without content, neither has one whose message was cut for the model', async () => {
  const spans = recordSpans();
  const { app } = await openShop(scripted([]), { toolDefaults: { maxResultLength: 20 } });
  const { content } = await callTool(app, 'refuse', ORDER);
  expect(content).not.toContain('There is no order A-1042.');
  expect(endingOf(spans.only('execute_tool refuse'))).toBe('ToolFailedException');
  expect(spans.text).not.toContain('There is no order');
});

describe.each(WAYS)('with `content: true`, a %s', (_way, run) => {
  it('says what was asked and answered, in the form of the conventions', async () => {
    const spans = recordSpans();
    const model = scripted([
      { text: 'Let me see.', calls: [{ tool: 'find', id: 'call_a', arguments: ORDER }] },
      'On its way.',
    ]);
    const { agent } = await openShop(model, { instructions: INSTRUCTIONS, ...WITH_CONTENT });
    await run(agent);
    const input = [
      { role: 'system', parts: [{ type: 'text', content: INSTRUCTIONS }] },
      { role: 'user', parts: [{ type: 'text', content: QUESTION }] },
    ];
    const parts = [
      { type: 'text', content: 'Let me see.' },
      { type: 'tool_call', id: 'call_a', name: 'find', arguments: ORDER },
    ];
    const response = { ...ORDER, status: STATUS };
    const output = [
      {
        role: 'assistant',
        parts: [{ type: 'text', content: 'On its way.' }],
        finish_reason: 'stop',
      },
    ];
    const [first, second] = spans.named('chat scripted');
    expect(jsonOf(first, 'gen_ai.input.messages')).toEqual(input);
    expect(jsonOf(first, 'gen_ai.output.messages')).toEqual([
      { role: 'assistant', parts, finish_reason: 'tool_call' },
    ]);
    expect(jsonOf(second, 'gen_ai.input.messages')).toEqual([
      ...input,
      { role: 'assistant', parts },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_a', response }] },
    ]);
    expect(jsonOf(second, 'gen_ai.output.messages')).toEqual(output);
    const whole = spans.only('invoke_agent');
    expect(jsonOf(whole, 'gen_ai.input.messages')).toEqual(input);
    expect(jsonOf(whole, 'gen_ai.output.messages')).toEqual(output);
    const tool = spans.only('execute_tool find');
    expect(jsonOf(tool, 'gen_ai.tool.call.arguments')).toEqual(ORDER);
    expect(jsonOf(tool, 'gen_ai.tool.call.result')).toEqual(response);
  });

  it('hides the values of secret fields wherever they are', async () => {
    const spans = recordSpans();
    const call = { tool: 'login', arguments: { user: 'ada', password: 'hunter2' } };
    const { agent } = await openShop(scripted([call, 'On its way.']), WITH_CONTENT);
    await run(agent);
    const span = spans.only('execute_tool login');
    expect(jsonOf(span, 'gen_ai.tool.call.arguments')).toEqual({ user: 'ada', password: '***' });
    expect(jsonOf(span, 'gen_ai.tool.call.result')).toEqual({
      user: 'ada',
      session: { accessToken: '***' },
    });
    expect(spans.text).toContain('ada');
    expect(spans.text).not.toContain('hunter2');
    expect(spans.text).not.toContain('tok-result');
  });

  it.each([
    '{"user" "ada", "password": "hunter2" and "more',
    '{"user" "ada", "p\\u0061ssword": "hunter2" and "more',
  ])('hides what follows the name of a secret in %s', async (broken) => {
    const spans = recordSpans();
    const call = { tool: 'invented', arguments: broken };
    const { agent } = await openShop(scripted([call, 'Sorry.']), WITH_CONTENT);
    await run(agent);
    expect(spans.text).not.toContain('hunter2');
    expect(spans.text).toContain('ada');
  });

  it('says with which message a tool refused', async () => {
    const spans = recordSpans();
    const model = scripted([{ tool: 'refuse', arguments: ORDER }, 'Sorry.']);
    const { agent } = await openShop(model, WITH_CONTENT);
    await run(agent);
    const span = spans.only('execute_tool refuse');
    expect(span.attributes['gen_ai.tool.call.result']).toBe('There is no order A-1042.');
    expect(span.status.message).toBe('There is no order A-1042.');
    expect(exceptionOf(span)).toMatchObject({
      'exception.message': 'There is no order A-1042.',
    });
  });
});

it('with content, images are named but not copied', async () => {
  const spans = recordSpans();
  const { agent } = await openShop(scripted(['A cat.']), WITH_CONTENT);
  const input: ChatMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', url: 'data:image/png;base64,aGVsbG8=' },
        { type: 'image', url: 'https://ada:hunter2@pictures.example/cat.png' },
      ],
    },
  ];
  await agent.run(input);
  expect(jsonOf(spans.only('invoke_agent'), 'gen_ai.input.messages')).toEqual([
    {
      role: 'user',
      parts: [
        { type: 'text', content: 'What is it?' },
        { type: 'image', mime_type: 'image/png' },
        { type: 'uri', modality: 'image', uri: 'https://***@pictures.example/cat.png' },
      ],
    },
  ]);
});

it('with content, arguments from code that cannot be written leave only themselves out', async () => {
  const spans = recordSpans();
  const { app } = await openShop(scripted([]), WITH_CONTENT);
  const args: Record<string, unknown> = { ...ORDER };
  args.itself = args;
  const { status, content } = await callTool(app, 'find', args);
  expect(status).toBe('error');
  const { attributes } = spans.only('execute_tool find');
  expect(attributes).not.toHaveProperty(['gen_ai.tool.call.arguments']);
  expect(attributes['gen_ai.tool.call.result']).toBe(content);
});
