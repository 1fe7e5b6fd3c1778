import { describe, expect, it } from '@jest/globals';
import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  toGeminiSchema,
  toOllamaSchema,
} from 'nestjs-agent-tools';
import { inputOf } from './inputs.js';

describe.each([
  ['OpenAI', toOpenAISchema],
  ['OpenAI strict', toOpenAIStrictSchema],
  ['Anthropic', toAnthropicSchema],
  ['Anthropic strict', toAnthropicStrictSchema],
  ['Gemini', toGeminiSchema],
  ['Ollama', toOllamaSchema],
])('the dialect %s', (_name, convert) => {
  it('converts 1,000 simple tools in no noticeable time', () => {
    const time = (): number => {
      const schemas = Array.from({ length: 1_000 }, (_, index) =>
        inputOf({ type: 'string', description: `No. ${index}` }, { additionalProperties: false }),
      );
      const start = performance.now();
      for (const schema of schemas) convert(schema);
      return performance.now() - start;
    };
    // The best of several, as other processes take their share.
    expect(Math.min(...Array.from({ length: 8 }, time))).toBeLessThan(60);
  });
});
