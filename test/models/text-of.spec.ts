import { expect, it } from '@jest/globals';
import { textOf, type AssistantPart } from 'nestjs-agent-tools';

it.each<[Parameters<typeof textOf>[0], string]>([
  [{ content: 'Hi' }, 'Hi'],
  [{ content: [] }, ''],
  [{ content: [{ type: 'text', text: 'Hi' }] }, 'Hi'],
  [{ content: [{ type: 'image', url: 'https://x.example/a.png' }] }, ''],
])('textOf(%j) is "%s"', (message, expected) => {
  expect(textOf(message)).toBe(expected);
});

it('leaves out what is no text', () => {
  const content: AssistantPart[] = [
    { type: 'reasoning', text: 'Hm. ' },
    { type: 'text', text: 'Hello ' },
    { type: 'tool-call', id: 'a', name: 'find', arguments: '{}' },
    { type: 'text', text: 'world' },
  ];
  expect(textOf({ content })).toBe('Hello world');
});
