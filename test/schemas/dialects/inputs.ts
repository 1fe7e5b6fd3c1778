import { expect } from '@jest/globals';
import {
  toAnthropicStrictSchema,
  toOpenAIStrictSchema,
  type JsonSchema,
  type ObjectJsonSchema,
} from 'nestjs-agent-tools';

/** An input with one required property. */
export const inputOf = (value: JsonSchema, more: JsonSchema = {}): ObjectJsonSchema => ({
  ...more,
  type: 'object',
  properties: { value },
  required: ['value'],
});

export const openai = (value: JsonSchema, more?: JsonSchema) =>
  toOpenAIStrictSchema(inputOf(value, more));
export const anthropic = (value: JsonSchema, more?: JsonSchema) =>
  toAnthropicStrictSchema(inputOf(value, more));
/** What becomes of the property. */
export const valueOf = ({ schema, strict }: { schema: ObjectJsonSchema; strict: boolean }) => {
  expect(strict).toBe(true);
  return schema.properties.value;
};
export const chain = (length: number): JsonSchema =>
  length === 0
    ? { type: 'string' }
    : { type: 'object', properties: { next: chain(length - 1) }, required: ['next'] };
export const many = (count: number, name = (index: number) => `p${index}`): ObjectJsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [name(index), { type: 'boolean' }]),
  ),
});
export const values = (count: number, length = 1): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));
