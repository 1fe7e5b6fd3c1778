import { Inject } from '@nestjs/common';
import { getChatModelToken } from '../chat-model.tokens.js';

/**
 * Injects a chat model of the application, for code that talks to it without an agent.
 *
 * @param name Of `models` in the module's options. With `forRootAsync()` it must be among `modelNames`
 * there, because Nest has to know it before the options are made. @default 'default'
 * @publicApi
 */
export function InjectChatModel(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getChatModelToken(name));
}
