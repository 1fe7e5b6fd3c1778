import { describe, expect, it } from '@jest/globals';
import { repairHistory, type AssistantPart, type ChatMessage } from 'nestjs-agent-tools';
import { decodeGeminiAnswer, toGeminiBody } from 'nestjs-agent-tools/gemini';

const GEMINI_3 = 'gemini-3-flash-preview';
const SKIP = 'skip_thought_signature_validator';
const USER: ChatMessage = { role: 'user', content: 'Go.' };
const call = (id: string, thoughtSignature?: string): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'f',
  arguments: '{}',
  ...(thoughtSignature && { providerMetadata: { gemini: { thoughtSignature } } }),
});
const step = (...calls: AssistantPart[]): ChatMessage[] => [
  { role: 'assistant', content: calls },
  {
    role: 'tool',
    content: calls.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ type: 'tool-result', callId: part.id, name: 'f', status: 'success', content: 'x' }]
        : [],
    ),
  },
];

type Wire = { role: string; parts: Record<string, unknown>[] }[];
const encode = (messages: readonly ChatMessage[], model = GEMINI_3): Wire =>
  toGeminiBody({ messages }, { model }).contents as Wire;
const signatures = (messages: readonly ChatMessage[], model?: string) =>
  encode(messages, model)
    .filter(({ role }) => role === 'model')
    .map(({ parts }) => parts.map(({ thoughtSignature }) => thoughtSignature));

describe('thought signatures', () => {
  it('go back at the parts that they came with, also after a conversation was stored (95)', () => {
    const parts = [
      { text: 'Hm. ', thought: true },
      { text: 'So.', thought: true, thoughtSignature: 's0' },
      { text: 'A' },
      { text: 'B', thoughtSignature: 's1' },
      { text: 'C', thoughtSignature: 's2' },
      { text: '', thoughtSignature: 's3' },
      { functionCall: { id: 'a', name: 'f', args: { n: 1 } }, thoughtSignature: 's4' },
      { functionCall: { id: 'b', name: 'f', args: {} } },
    ];
    const { content } = decodeGeminiAnswer({
      candidates: [{ content: { parts }, finishReason: 'STOP' }],
    });
    const stored = JSON.parse(JSON.stringify([USER, { role: 'assistant', content }]));
    // Unsigned thoughts are of no use to the model.
    expect(encode(repairHistory(stored as ChatMessage[]))[1]?.parts).toEqual(parts.slice(1));
  });

  it('of other providers, or of no use, are ignored (94, 96)', () => {
    const content: AssistantPart[] = [
      {
        type: 'reasoning',
        text: 'Hm',
        providerMetadata: { anthropic: { signature: 'x' }, google: { thoughtSignature: 'y' } },
      },
      { type: 'reasoning', text: 'Hm', providerMetadata: { gemini: { thoughtSignature: '' } } },
      { type: 'reasoning', text: '', providerMetadata: { gemini: { part: 'x' } } },
      { type: 'text', text: '', providerMetadata: { openai: { id: 'x' } } },
      { type: 'text', text: 'Hi', providerMetadata: { gemini: { thoughtSignature: 1 } } },
    ];
    expect(encode([USER, { role: 'assistant', content }])[1]?.parts).toEqual([{ text: 'Hi' }]);
  });

  it('are not asked for at the first call of each step of the current turn, if they are lost', () => {
    const messages = [USER, ...step(call('a'), call('b')), ...step(call('c', 's'), call('d'))];
    expect(signatures(messages)).toEqual([
      [SKIP, undefined],
      ['s', undefined],
    ]);
  });

  it('need nothing in earlier turns, nor for models before Gemini 3', () => {
    const done: ChatMessage = { role: 'assistant', content: [{ type: 'text', text: 'Done' }] };
    expect(signatures([USER, ...step(call('a')), done, USER, ...step(call('b'))])).toEqual([
      [undefined],
      [undefined],
      [SKIP],
    ]);
    expect(signatures([USER, ...step(call('a'))], 'gemini-2.5-pro')).toEqual([[undefined]]);
    expect(signatures([USER, ...step(call('a'))], 'gemma-3-27b')).toEqual([[undefined]]);
  });

  it('count words of the user beside results to the same turn', () => {
    expect(signatures([USER, ...step(call('a')), USER, ...step(call('b'))])).toEqual([
      [SKIP],
      [SKIP],
    ]);
  });

  it('never change the messages that are given', () => {
    const messages = [USER, ...step(call('a'))];
    const before = JSON.stringify(messages);
    expect(signatures(messages)).toEqual([[SKIP]]);
    expect(JSON.stringify(messages)).toBe(before);
  });
});

describe('parts of tools on the server', () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: '1+1', id: 'x' }, thoughtSignature: 's' },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2', id: 'x' } },
    { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 'y' }, thoughtSignature: 't' },
    { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', id: 'y', response: {} } },
    { text: '2' },
  ];
  const { content } = decodeGeminiAnswer({
    candidates: [{ content: { parts }, finishReason: 'STOP', groundingMetadata: { x: 1 } }],
  });

  it('are no calls', () => {
    expect(content.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 4 }, () => 'reasoning'),
      'text',
    ]);
    expect(content.slice(0, 4).every((part) => part.type === 'reasoning' && part.text === '')).toBe(
      true,
    );
  });

  it('go back as they came, in order', () => {
    const stored = JSON.parse(JSON.stringify([USER, { role: 'assistant', content }]));
    expect(encode(stored as ChatMessage[])[1]?.parts).toEqual(parts);
  });
});
