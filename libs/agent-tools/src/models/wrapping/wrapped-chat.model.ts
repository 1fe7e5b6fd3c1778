import type { ChatModel } from '../interfaces/chat-model.interface.js';
import { checkChatModel } from './check-chat-model.js';

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
    checkChatModel(model, wrapper);
  }

  get name(): string {
    return this.model.name;
  }

  get server(): string | undefined {
    return this.model.server;
  }

  get toolSchemas(): ChatModel['toolSchemas'] {
    return this.model.toolSchemas;
  }
}
