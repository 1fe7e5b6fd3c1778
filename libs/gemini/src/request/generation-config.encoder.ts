import type { ChatSettings, ResponseFormat } from 'nestjs-agent-tools';
import { describedSchema } from 'nestjs-agent-tools/model-kit';
import { encodeThinkingConfig } from './thinking-config.encoder.js';
import { GEMINI_SCHEMAS } from '../profile/tool-schemas.js';

const ANY_OBJECT = { type: 'object', properties: {} } as const;

/** The settings that say how an answer is made; empty if there are none. */
export function encodeGenerationConfig(
  settings: ChatSettings,
  model: string,
  includeThoughts: boolean | undefined,
): Record<string, unknown> {
  return {
    ...defined('temperature', settings.temperature),
    ...defined('topP', settings.topP),
    ...defined('maxOutputTokens', settings.maxTokens),
    ...defined('stopSequences', settings.stop),
    ...defined('seed', settings.seed),
    ...defined('thinkingConfig', encodeThinkingConfig(settings, model, includeThoughts)),
    ...encodeResponseFormat(settings.responseFormat),
  };
}

function encodeResponseFormat(format: ResponseFormat | undefined): Record<string, unknown> {
  if (format?.type !== 'json') return {};
  const { description } = format;
  // Any object, of which there is something to say.
  const schema = describedSchema(format) ?? (description && { ...ANY_OBJECT, description });
  return {
    responseMimeType: 'application/json',
    ...(schema && { responseJsonSchema: GEMINI_SCHEMAS.plain(schema).schema }),
  };
}

function defined(field: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [field]: value };
}
