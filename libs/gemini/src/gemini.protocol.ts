import type { ChatModelException, ChatRequest } from 'nestjs-agent-tools';
import type {
  ChatDecoder,
  ChatProtocol,
  ChatTarget,
  ProviderProfile,
} from 'nestjs-agent-tools/model-kit';
import { GenerateContentDecoder } from './answer/generate-content.decoder.js';
import {
  GEMINI_BASE_URL,
  toEndpoint,
  toModelPath,
  vertexBaseURL,
  hasVertexCallIds,
} from './profile/gemini.endpoint.js';
import type { GeminiOptions } from './interfaces/gemini-options.interface.js';
import { encodeGenerateContent } from './request/generate-content.encoder.js';
import { GEMINI_SCHEMAS } from './profile/tool-schemas.js';

const LACKING = {
  parallelToolCalls: 'it cannot be told; the model may always ask for several calls at once.',
};

const GEMINI: ProviderProfile = {
  name: 'gemini',
  baseURL: GEMINI_BASE_URL,
  hosts: ['generativelanguage.googleapis.com'],
  apiKeyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  lacking: LACKING,
};

/** `generateContent`, as the Gemini API and Vertex AI speak it. */
export class GeminiProtocol implements ChatProtocol {
  readonly title = 'the Gemini API';
  readonly factory = 'gemini';
  readonly optionNames = [
    'vertex',
    'includeThoughts',
    'safetySettings',
  ] satisfies (keyof GeminiOptions)[];
  readonly toolSchemas = (): typeof GEMINI_SCHEMAS => GEMINI_SCHEMAS;

  private readonly ownProfile: ProviderProfile;
  private readonly modelPath: string;

  /** @throws ChatModelException if a name cannot be part of an address */
  constructor(private readonly options: GeminiOptions) {
    const { model, vertex } = options;
    this.ownProfile = vertex
      ? { name: 'vertex', baseURL: vertexBaseURL(vertex), lacking: LACKING }
      : GEMINI;
    // Without a name there will be no request, but an exception that says so.
    this.modelPath = model ? toModelPath(model, vertex) : '';
  }

  profile(): ProviderProfile {
    return this.ownProfile;
  }

  url({ baseURL, stream }: ChatTarget): string {
    return toEndpoint(baseURL, this.modelPath, stream);
  }

  authorize(apiKey: string): Record<string, string> {
    return this.options.vertex
      ? { authorization: `Bearer ${apiKey}` }
      : { 'x-goog-api-key': apiKey };
  }

  encode(
    request: ChatRequest,
    { baseURL, settings }: ChatTarget,
    warn: (text: string) => void,
  ): Record<string, unknown> {
    const { model, vertex, includeThoughts, safetySettings } = this.options;
    return encodeGenerateContent(request, {
      model,
      includeThoughts,
      safetySettings,
      callIds: !vertex || hasVertexCallIds(baseURL),
      settings,
      onUnsigned: () => warn(describeUnsigned(`${this.ownProfile.name}:${model}`)),
    });
  }

  createDecoder(
    _target: ChatTarget,
    toException: (body: unknown) => ChatModelException,
  ): ChatDecoder {
    return new GenerateContentDecoder(toException);
  }
}

function describeUnsigned(label: string): string {
  return (
    `${label} is sent tool calls without thought signatures, likely of another model or of a history that ` +
    'was stored without `providerMetadata`. Its server is told not to check them, which may make answers worse.'
  );
}
