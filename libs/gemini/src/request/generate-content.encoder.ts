import type { ChatRequest, ChatSettings } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import type { GeminiBodyOptions, GeminiOptions } from '../interfaces/gemini-options.interface.js';
import { encodeContents, encodeSystem } from './contents.encoder.js';
import { encodeGenerationConfig } from './generation-config.encoder.js';
import type { ContentEncoding } from './interfaces/content-encoding.interface.js';
import { encodeTools } from './tools.encoder.js';

interface BodyEncoding
  extends
    Omit<ContentEncoding, 'toolNames'>,
    Pick<GeminiOptions, 'includeThoughts' | 'safetySettings'> {
  readonly settings: ChatSettings;
}

/**
 * The body of a request to Gemini, the same for whole answers and streams.
 *
 * @throws ChatModelException if a setting or an image cannot be sent
 * @publicApi
 */
export function toGeminiBody(
  request: ChatRequest,
  { model, includeThoughts, safetySettings, callIds = true, ...settings }: GeminiBodyOptions,
): Record<string, unknown> {
  const onUnsigned = (): void => {};
  return encodeGenerateContent(request, {
    model,
    includeThoughts,
    safetySettings,
    callIds,
    settings,
    onUnsigned,
  });
}

export function encodeGenerateContent(
  { messages, tools = [], toolChoice }: ChatRequest,
  { includeThoughts, safetySettings, settings, ...encoding }: BodyEncoding,
): Record<string, unknown> {
  const toolNames = new Set(tools.map(({ name }) => name));
  const system = encodeSystem(messages);
  const config = encodeGenerationConfig(settings, encoding.model, includeThoughts);
  return {
    ...(system && { systemInstruction: system }),
    contents: encodeContents(messages, { ...encoding, toolNames }),
    ...(tools.length > 0 && encodeTools(tools, toolChoice)),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(safetySettings && { safetySettings }),
    ...withConfig(settings.body, config),
  };
}

/** Fields of `generationConfig` that the application gives stand beside those of the settings. */
function withConfig(
  body: ChatSettings['body'],
  config: Record<string, unknown>,
): ChatSettings['body'] {
  const given = body?.generationConfig;
  return isRecord(given) ? { ...body, generationConfig: { ...config, ...given } } : body;
}
