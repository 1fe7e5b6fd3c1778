import type { ChatModel } from './interfaces/chat-model.interface.js';

/** What all models have in common that put something around another one. */
export abstract class WrappedChatModel {
  /**
   * @param wrapper what the application calls, for the error
   * @throws TypeError if the model is none
   */
  constructor(
    protected readonly model: ChatModel,
    wrapper: string,
  ) {
    refuseNoChatModel(model, wrapper);
  }

  get name(): string {
    return this.model.name;
  }

  get toolSchemas(): ChatModel['toolSchemas'] {
    return this.model.toolSchemas;
  }
}

/**
 * Without it, a model that was forgotten would fail only when it is asked.
 *
 * @param place who was given it, for the error
 * @throws TypeError
 */
export function refuseNoChatModel(model: ChatModel | null | undefined, place: string): void {
  if (typeof model?.generate === 'function' && typeof model.stream === 'function') return;
  throw new TypeError(
    `${place} was given ${describe(model)} in place of a chat model. Give it one that a factory such as ` +
      'openai() makes, or an object with `name`, `generate` and `stream`.',
  );
}

function describe(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return value !== null && typeof value === 'object' ? 'another object' : String(value);
}
