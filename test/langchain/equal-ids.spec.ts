import { describe, expect, it } from '@jest/globals';
import type { ChatResponse } from 'nestjs-agent-tools';
import { generated } from './support/ask.js';

type Id = string | undefined;

const LONG = '9007199254740993';

function raw(id: Id, name: string, json: string) {
  return { id: id as string, type: 'function' as const, function: { name, arguments: json } };
}

function valid(id: Id, name: string, args: Record<string, unknown>) {
  return { id, name, args, type: 'tool_call' as const };
}

function invalid(id: Id, name: string, args: string) {
  return { id, name, args, error: 'no JSON', type: 'invalid_tool_call' as const };
}

function callsOf({ content }: ChatResponse): unknown[] {
  return content.map((part) => (part.type === 'tool-call' ? [part.name, part.arguments] : part));
}

describe.each<[string, Id]>([
  ['an empty id', ''],
  ['one id', 'call_0'],
  ['no id', undefined],
])('whole calls of LangChain with %s', (_, id) => {
  it('keep their own arguments, as the model wrote them', async () => {
    const answer = await generated({
      content: '',
      tool_calls: [
        valid(id, 'refund', { no: Number(LONG) }),
        valid(id, 'cancel', { no: 2 }),
        valid(id, 'refund', { no: 3 }),
      ],
      additional_kwargs: {
        tool_calls: [
          raw(id, 'refund', `{"no": ${LONG}}`),
          raw(id, 'cancel', '{"no": 2}'),
          raw(id, 'refund', '{"no": 3}'),
        ],
      },
    });
    expect(callsOf(answer)).toEqual([
      ['refund', `{"no": ${LONG}}`],
      ['cancel', '{"no": 2}'],
      ['refund', '{"no": 3}'],
    ]);
  });

  it('keep them and their order if one of them is no JSON', async () => {
    const answer = await generated({
      content: '',
      tool_calls: [valid(id, 'refund', { no: 1 }), valid(id, 'refund', { no: 3 })],
      invalid_tool_calls: [invalid(id, 'refund', '{"no": 2')],
      additional_kwargs: {
        tool_calls: [
          raw(id, 'refund', '{"no": 1}'),
          raw(id, 'refund', '{"no": 2'),
          raw(id, 'refund', '{"no": 3}'),
        ],
      },
    });
    expect(callsOf(answer)).toEqual([
      ['refund', '{"no": 1}'],
      ['refund', '{"no": 2'],
      ['refund', '{"no": 3}'],
    ]);
  });

  it('do not take the arguments of a call with another name, or that say something else', async () => {
    const answer = await generated({
      content: '',
      tool_calls: [valid(id, 'refund', { no: 1 }), valid(id, 'cancel', { no: 2 })],
      additional_kwargs: {
        tool_calls: [raw(id, 'archive', '{"no": 1 }'), raw(id, 'cancel', '{"no": 3 }')],
      },
    });
    expect(callsOf(answer)).toEqual([
      ['refund', '{"no":1}'],
      ['cancel', '{"no":2}'],
    ]);
  });
});
