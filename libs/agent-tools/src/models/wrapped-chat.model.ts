import type { ChatModel } from './interfaces/chat-model.interface.js';

/** What all models have in common that put something around another one. */
export abstract class WrappedChatModel {
  constructor(protected readonly model: ChatModel) {}

  get name(): string {
    return this.model.name;
  }

  get toolSchemas(): ChatModel['toolSchemas'] {
    return this.model.toolSchemas;
  }
}
