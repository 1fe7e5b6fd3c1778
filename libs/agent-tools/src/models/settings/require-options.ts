import { ChatModelException } from '../exceptions/chat-model.exception.js';

/**
 * A configuration that nothing has typed may give nothing, or only a name.
 *
 * @param factory What was given them, for the exception.
 * @throws ChatModelException that shows what is needed
 * @publicApi
 */
export function requireOptions(factory: string, options: unknown): void {
  if (options !== null && typeof options === 'object') return;
  const model = typeof options === 'string' ? options : '…';
  throw new ChatModelException(
    `${factory}() needs an object of options: ${factory}({ model: ${JSON.stringify(model)} }).`,
  );
}
