import type { ChatModel } from 'nestjs-agent-tools';
import { createHttpChatModel, checkOptions } from 'nestjs-agent-tools/model-kit';
import { GeminiProtocol } from './gemini.protocol.js';
import type { GeminiOptions } from './interfaces/gemini-options.interface.js';
import { checkReasoning } from './request/thinking-config.encoder.js';
import { checkVertex, withToken } from './profile/vertex.options.js';

/**
 * A chat model of Google: of the Gemini API, or of Vertex AI.
 *
 * ```ts
 * gemini({ model: 'gemini-2.5-flash' });
 * gemini({ model: 'gemini-3-flash-preview', vertex: { project, location: 'global', token } });
 * ```
 *
 * @throws ChatModelException if an option is not of use
 * @publicApi
 */
export function gemini(options: GeminiOptions): ChatModel {
  checkOptions('gemini', options);
  const { vertex } = options;
  if (vertex) checkVertex(vertex, options);
  const model = createHttpChatModel(
    new GeminiProtocol(options),
    vertex ? withToken(options, vertex) : options,
  );
  checkReasoning(options, options.model);
  return model;
}
