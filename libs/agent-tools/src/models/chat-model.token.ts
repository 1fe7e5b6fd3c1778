import { Inject } from '@nestjs/common';

/**
 * The injection token of the application's chat model, for `overrideProvider()` in tests.
 *
 * @publicApi
 */
export function getChatModelToken(): string {
  return 'AGENT_TOOLS_CHAT_MODEL';
}

/**
 * Injects the application's chat model, for code that talks to it without an agent.
 *
 * @publicApi
 */
export function InjectChatModel(): ParameterDecorator & PropertyDecorator {
  return Inject(getChatModelToken());
}
