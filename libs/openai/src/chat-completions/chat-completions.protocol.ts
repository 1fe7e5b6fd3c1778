import type { ChatModelException, ChatRequest } from 'nestjs-agent-tools';
import type { ChatDecoder, ChatProtocol, ChatTarget } from 'nestjs-agent-tools/model-kit';
import { encodeKeyHeader } from '../profiles/key-header.encoder.js';
import {
  ProfileFinder,
  type ProfileOption,
  type WholeProfile,
} from '../profiles/profile.finder.js';
import { toEndpoint } from '../profiles/to-endpoint.js';
import { ChatCompletionsDecoder } from './answer/chat-completions.decoder.js';
import type { OpenAIOptions } from '../interfaces/openai-options.interface.js';
import { encodeChatCompletions } from './request/chat-completions.encoder.js';

/** Chat Completions, as the server of a profile speaks it. */
export class ChatCompletionsProtocol implements ChatProtocol {
  readonly title = 'Chat Completions';
  readonly factory = 'openai';
  readonly optionNames = ['profile'] satisfies (keyof OpenAIOptions)[];
  private readonly profiles: ProfileFinder;

  /** @throws ChatModelException if there is no such profile */
  constructor(profile: ProfileOption | undefined) {
    this.profiles = new ProfileFinder(profile);
  }

  profile(baseURL: string | undefined): WholeProfile {
    return this.profiles.find(baseURL);
  }

  toolSchemas({ baseURL }: ChatTarget): WholeProfile['toolSchemas'] {
    return this.profile(baseURL).toolSchemas;
  }

  url({ baseURL }: ChatTarget): string {
    return toEndpoint(baseURL, '/chat/completions', this.profile(baseURL).basePath);
  }

  authorize(apiKey: string, { baseURL }: ChatTarget): Record<string, string> {
    return encodeKeyHeader(apiKey, this.profile(baseURL));
  }

  encode(request: ChatRequest, target: ChatTarget): Record<string, unknown> {
    return encodeChatCompletions(request, target, this.profile(target.baseURL));
  }

  createDecoder(
    { baseURL }: ChatTarget,
    toException: (body: unknown) => ChatModelException,
  ): ChatDecoder {
    return new ChatCompletionsDecoder(this.profile(baseURL).metadataKey, toException);
  }
}
