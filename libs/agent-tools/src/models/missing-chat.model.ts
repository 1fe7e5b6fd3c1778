import { listNames } from '../utils/list-names.js';
import type { ChatDelta, ChatModel, ChatResponse } from './interfaces/chat-model.interface.js';

/** Stands where a model is injected that the application does not have, and says so when it is asked. */
export class MissingChatModel implements ChatModel {
  readonly name = 'none';

  /** @param names Of the models that there are. */
  constructor(private readonly names: readonly string[]) {}

  get error(): Error {
    return new Error(
      this.names.length > 0
        ? `There is no default among the models: ${listNames(this.names)}. Name one of them \`default\`, or ` +
            'name the one to use: run(input, { model }).'
        : 'There is no chat model. Give one to AgentToolsModule.forRoot({ model }): openai({ model: … }) ' +
            'from "nestjs-agent-tools/openai", or offline() from "nestjs-agent-tools/offline" to try without a key.',
    );
  }

  generate(): Promise<ChatResponse> {
    return Promise.reject(this.error);
  }

  stream(): AsyncIterable<ChatDelta> {
    throw this.error;
  }
}
