/** The name of the model of every agent that names none. */
export const DEFAULT_MODEL_NAME = 'default';

/**
 * The injection token of a chat model of the application, for `overrideProvider()` in tests.
 *
 * @param name Of `models` in the module's options. @default 'default'
 * @publicApi
 */
export function getChatModelToken(name = DEFAULT_MODEL_NAME): string {
  const token = 'AGENT_TOOLS_CHAT_MODEL';
  return name === DEFAULT_MODEL_NAME ? token : `${token}:${name}`;
}
