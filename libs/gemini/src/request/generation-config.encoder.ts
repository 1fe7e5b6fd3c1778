import type { ChatSettings, ObjectJsonSchema, ResponseFormat } from 'nestjs-agent-tools';
import { encodeThinkingConfig } from './thinking-config.encoder.js';
import { GEMINI_SCHEMAS } from '../profile/tool-schemas.js';

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
  const schema = describe(format);
  return {
    responseMimeType: 'application/json',
    ...(schema && { responseJsonSchema: GEMINI_SCHEMAS.plain(schema).schema }),
  };
}

function defined(field: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [field]: value };
}

/** The schema is the only place for a description. */
function describe({
  schema,
  description,
}: Extract<ResponseFormat, { type: 'json' }>): ObjectJsonSchema | undefined {
  if (!description) return schema;
  const own = schema?.description === undefined ? '' : `\n${schema.description}`;
  return { ...(schema ?? { type: 'object', properties: {} }), description: description + own };
}
