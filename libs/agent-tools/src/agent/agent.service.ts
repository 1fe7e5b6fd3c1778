import { Logger } from '@nestjs/common';
import {
  DEFAULT_FAILED_STEP_LIMIT,
  DEFAULT_RUN_TIMEOUT,
  DEFAULT_STEP_LIMIT,
  DEFAULT_TOOL_CALL_LIMIT,
  DEFAULT_UNKNOWN_TOOL_LIMIT,
} from '../agent-tools.constants.js';
import { checkMessages } from '../models/settings/check-request.js';
import { callIds, repairHistory } from '../models/history/history.repair.js';
import type { ChatMessage } from '../models/interfaces/chat-message.interface.js';
import type { ChatModelRegistry } from '../models/chat-model.registry.js';
import type { ChatModel } from '../models/interfaces/chat-model.interface.js';
import { MissingChatModel } from '../models/missing-chat.model.js';
import type { ChatSettings } from '../models/interfaces/chat-settings.interface.js';
import { checkChatModel } from '../models/wrapping/check-chat-model.js';
import { checkModelSettings } from '../models/settings/check-settings.js';
import { checkOptionNames } from '../utils/check-option-names.js';
import { mergeSettings } from '../models/settings/merge-settings.js';
import { checkPolicy } from '../tools/check-policy.js';
import type { SharedToolPolicy } from '../tools/interfaces/tool-policy.interface.js';
import type { ToolRegistry } from '../tools/tool.registry.js';
import type { ConverterResolver } from '../execution/results/converter.resolver.js';
import type { BoundTool } from '../execution/bound-tool.js';
import { checkLimits, checkRanges, LIMITS } from './check-limits.js';
import type { AgentLoop } from './agent.loop.js';
import { AgentRunState } from './agent-run.state.js';
import { AgentStream } from './agent.stream.js';
import type { AgentDefaults } from './interfaces/agent-defaults.interface.js';
import type { AgentLimits } from './interfaces/agent-limits.interface.js';
import type {
  AgentInput,
  AgentOptions,
  AgentRunOptions,
} from './interfaces/agent-options.interface.js';
import type { AgentResult } from './interfaces/agent-result.interface.js';
import { AGENT_OPTIONS, RUN_OPTIONS } from './option-names.js';
import { selectTools, toChatToolChoice, type SelectedTools } from './tool.selection.js';

/** What an agent gets from its module. */
export interface AgentDependencies {
  readonly loop: AgentLoop;
  readonly registry: ToolRegistry<BoundTool>;
  readonly converters: ConverterResolver;
  readonly models: ChatModelRegistry;
  readonly options: AgentDefaults;
}

/**
 * Lets a language model work with the application's tools until it has an answer. Inject the class
 * for the default agent, or `@InjectAgent(name)` for one of `AgentToolsModule.forFeature()`.
 *
 * @publicApi
 */
export class AgentService {
  private readonly logger = new Logger('AgentTools');
  private selected?: SelectedTools;
  private selectedVersion = -1;

  /** @internal */
  constructor(
    private readonly agent: Partial<AgentOptions>,
    private readonly dependencies: AgentDependencies,
  ) {}

  /**
   * Runs to the end. A run that was aborted or limited resolves as well; look at `status`.
   *
   * @throws AgentRunException if the run failed, with what it did until then
   * @throws Error before the run begins, if there is no model, a chosen tool does not exist, the input is
   * neither a text nor a list of messages as `ChatMessage` describes them, or a number in the options is
   * out of its range
   */
  async run(input: AgentInput, options: AgentRunOptions = {}): Promise<AgentResult> {
    return this.dependencies.loop.run(this.prepare(input, options));
  }

  /**
   * Runs while it is read: events, text, an Observable or server-sent events.
   *
   * @throws Error at once, for the same reasons as `run()` before it begins
   */
  stream(input: AgentInput, options: AgentRunOptions = {}): AgentStream {
    return new AgentStream(this.dependencies.loop, this.prepare(input, options));
  }

  /**
   * Checks the options of the agent, at boot.
   *
   * @internal
   */
  async verify(): Promise<void> {
    const { model } = this.agent;
    if (typeof model === 'string') this.dependencies.models.get(model);
    else if (model !== undefined) checkChatModel(model, `The \`model\` of ${this.label}`);
    checkOptionNames(this.label, this.agent, AGENT_OPTIONS);
    checkLimits(this.label, this.agent.limits);
    checkModelSettings(this.label, this.agent.modelSettings);
    checkPolicy(this.agent.toolDefaults, `The \`toolDefaults\` of ${this.label}`);
    for (const className of this.tools().classesWithoutTools) {
      this.logger.warn(
        `${this.label} lists class ${className}, which has no tools. Is it a provider with @Tool() methods?`,
      );
    }
    const { resultConverter } = this.agent.toolDefaults ?? {};
    if (!resultConverter) return;
    for (const tool of this.tools().tools.values()) {
      const { module } = await tool.pipeline();
      await this.dependencies.converters.source(resultConverter, module);
    }
  }

  private get label(): string {
    return this.agent.name === undefined ? 'The default agent' : `Agent "${this.agent.name}"`;
  }

  private prepare(input: AgentInput, options: AgentRunOptions): AgentRunState {
    const { registry, options: defaults } = this.dependencies;
    checkOptionNames('This run', options, RUN_OPTIONS);
    const { tools, chatTools } = options.tools
      ? selectTools(registry, 'This run', options.tools)
      : this.tools();
    const toolChoice = toChatToolChoice(options.toolChoice ?? 'auto', tools);
    checkInput(input);
    const messages = typeof input === 'string' ? userMessage(input) : repairHistory(input);
    const instructions = options.instructions ?? this.agent.instructions ?? defaults.instructions;
    return new AgentRunState({
      agent: this.agent.name,
      model: this.model(options),
      settings: this.settings(options.modelSettings),
      messages: instructions ? [{ role: 'system', content: instructions }, ...messages] : messages,
      callIds: callIds(messages),
      tools,
      chatTools,
      toolChoice,
      limits: this.limits(options.limits),
      request: options.request,
      context: options.context ?? {},
      signal: options.signal,
      agentPolicy: this.agent.toolDefaults,
      runPolicy: checkedOverrides(options.toolOverrides),
    });
  }

  private model({ model: ofRun }: AgentRunOptions): ChatModel {
    const { models } = this.dependencies;
    if (ofRun !== undefined && typeof ofRun !== 'string') {
      checkChatModel(ofRun, 'The `model` of this run');
      return ofRun;
    }
    const chosen = ofRun ?? this.agent.model;
    const model = typeof chosen === 'string' ? models.get(chosen) : (chosen ?? models.find());
    if (model) return model;
    throw new MissingChatModel(models.names).error;
  }

  private settings(ofRun: ChatSettings | undefined): ChatSettings | undefined {
    const ofAgent = this.agent.modelSettings;
    const ofModule = this.dependencies.options.modelSettings;
    if (!ofRun && !ofAgent) return ofModule;
    return mergeSettings(mergeSettings(ofModule, ofAgent), ofRun);
  }

  private limits(ofRun: AgentLimits | undefined): Required<AgentLimits> {
    const ofAgent = this.agent.limits;
    const ofModule = this.dependencies.options.limits;
    const nearest = (key: keyof AgentLimits) => ofRun?.[key] ?? ofAgent?.[key] ?? ofModule?.[key];
    if (ofRun) checkOptionNames('The `limits` of this run', ofRun, LIMITS);
    const limits = {
      steps: nearest('steps') ?? DEFAULT_STEP_LIMIT,
      toolCalls: nearest('toolCalls') ?? DEFAULT_TOOL_CALL_LIMIT,
      failedSteps: nearest('failedSteps') ?? DEFAULT_FAILED_STEP_LIMIT,
      unknownTools: nearest('unknownTools') ?? DEFAULT_UNKNOWN_TOOL_LIMIT,
      timeout: nearest('timeout') ?? DEFAULT_RUN_TIMEOUT,
    };
    checkRanges('This run', limits);
    return limits;
  }

  /** Chosen anew only when the registry has changed. */
  private tools(): SelectedTools {
    const { registry } = this.dependencies;
    const { version } = registry;
    if (!this.selected || version !== this.selectedVersion) {
      this.selected = selectTools(registry, this.label, this.agent.tools);
      this.selectedVersion = version;
    }
    return this.selected;
  }
}

/** A controller without validation hands on what a client sent. */
function checkInput(input: unknown): void {
  if (typeof input === 'string') return;
  if (Array.isArray(input) && input.length > 0) {
    checkMessages(input as ChatMessage[]);
    return;
  }
  const given = Array.isArray(input) ? 'an empty list' : input === null ? 'null' : typeof input;
  throw new TypeError(
    `An agent needs a text or a list of messages, but got ${given}. Validate what the client sends.`,
  );
}

function checkedOverrides(policy: SharedToolPolicy | undefined): SharedToolPolicy | undefined {
  checkPolicy(policy, 'The `toolOverrides` of this run');
  return policy;
}

function userMessage(content: string): ChatMessage[] {
  return [{ role: 'user', content }];
}
