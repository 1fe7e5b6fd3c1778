import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import { listNames } from '../utils/list-names.js';
import { DEFAULT_MODEL_NAME, getChatModelToken } from './chat-model.tokens.js';
import type { ChatModel } from './interfaces/chat-model.interface.js';
import { MissingChatModel } from './missing-chat.model.js';
import { checkChatModel } from './wrapping/check-chat-model.js';
import type { ChatModelsOptions } from './interfaces/chat-models-options.interface.js';

/** The models of the application, by name. */
@Injectable()
export class ChatModelRegistry {
  private readonly found = new Map<string, ChatModel | undefined>();

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: ChatModelsOptions,
  ) {}

  /** The names that the options give. */
  get names(): string[] {
    return namesOf(this.options);
  }

  /** What stands for a name: the provider, so that a test which overrides it is heeded. */
  find(name: string = DEFAULT_MODEL_NAME): ChatModel | undefined {
    if (!this.found.has(name)) this.found.set(name, this.resolve(name));
    return this.found.get(name);
  }

  /** @throws Error if there is no model of that name */
  get(name: string): ChatModel {
    const model = this.find(name);
    if (model) return model;
    const known = this.names.length > 0 ? `There are: ${listNames(this.names)}.` : 'There is none.';
    throw new Error(
      `There is no chat model "${name}". ${known} Add it to \`models\` of AgentToolsModule.`,
    );
  }

  /**
   * At boot.
   *
   * @param declared The names that `forRootAsync()` was told.
   * @throws Error if one is no model, or there is none of a name
   */
  verify(declared: readonly string[]): void {
    const { model, models } = this.options;
    if (Array.isArray(models)) {
      throw new TypeError(
        'The `models` of AgentToolsModule must be an object: models: { default: …, fast: … }.',
      );
    }
    if (model && models?.[DEFAULT_MODEL_NAME]) {
      throw new Error(
        'AgentToolsModule has both `model` and `models.default`, which are the same. Leave one out.',
      );
    }
    for (const name of declared) this.get(name);
    // That of the default may come from a test, which has put it in place of none.
    for (const name of new Set([DEFAULT_MODEL_NAME, ...this.names])) {
      const found = this.find(name);
      if (found === undefined && !this.names.includes(name)) continue;
      const option = name === DEFAULT_MODEL_NAME ? '`model`' : `model "${name}"`;
      checkChatModel(found, `The ${option} of AgentToolsModule`);
    }
  }

  private resolve(name: string): ChatModel | undefined {
    try {
      const model = this.moduleRef.get<ChatModel>(getChatModelToken(name), { strict: false });
      return model instanceof MissingChatModel ? undefined : model;
    } catch {
      // Without a provider of its own: a name that only the options of `forRootAsync()` have.
      return findModel(this.options, name);
    }
  }
}

function namesOf({ model, models = {} }: ChatModelsOptions): string[] {
  return [...new Set([...(model ? [DEFAULT_MODEL_NAME] : []), ...Object.keys(models)])];
}

/** What is injected for a name. */
export function provideModel(options: ChatModelsOptions, name: string): ChatModel {
  return findModel(options, name) ?? new MissingChatModel(namesOf(options));
}

/** What the options have for a name. */
function findModel({ model, models = {} }: ChatModelsOptions, name: string): ChatModel | undefined {
  const named = Object.hasOwn(models, name) ? models[name] : undefined;
  return named ?? (name === DEFAULT_MODEL_NAME ? model : undefined);
}
