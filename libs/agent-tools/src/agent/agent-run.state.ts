import { randomUUID } from 'node:crypto';
import type { BoundTool } from '../execution/bound-tool.js';
import type { CallScope } from '../execution/interfaces/call-scope.interface.js';
import { isSendable } from '../models/history/assistant-content.js';
import type { AssistantPart, ChatMessage } from '../models/interfaces/chat-message.interface.js';
import { addUsage, NO_USAGE } from '../models/answers/usage.js';
import type {
  ChatModel,
  ChatResponse,
  ChatTool,
  ToolChoice,
  Usage,
} from '../models/interfaces/chat-model.interface.js';
import type { ChatSettings } from '../models/interfaces/chat-settings.interface.js';
import type { AgentRunContext } from '../tools/interfaces/agent-run-context.interface.js';
import type { AgentRun } from '../tools/interfaces/agent-run.interface.js';
import type { SharedToolPolicy } from '../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../tools/tool-call.js';
import { CallNormalizer } from './call.normalizer.js';
import type { Emit } from './event.channel.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';
import type { AgentLimits } from './interfaces/agent-limits.interface.js';
import type {
  AgentFinishReason,
  AgentResult,
  AgentStatus,
  AgentStep,
} from './interfaces/agent-result.interface.js';
import type { RunEmitter } from './run.emitter.js';
import { RunLifetime } from './run.lifetime.js';

/** What a run starts with, all options resolved. */
export interface AgentRunPlan {
  readonly agent?: string;
  readonly model: ChatModel;
  readonly settings: ChatSettings | undefined;
  /** Instructions and input. The run owns the list and adds to it. */
  readonly messages: ChatMessage[];
  readonly callIds: Iterable<string>;
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly chatTools: readonly ChatTool[];
  readonly toolChoice: ToolChoice;
  readonly limits: Required<AgentLimits>;
  readonly request: unknown;
  readonly context: Partial<AgentRunContext>;
  readonly signal?: AbortSignal;
  readonly agentPolicy: SharedToolPolicy | undefined;
  readonly runPolicy: SharedToolPolicy | undefined;
}

/** Everything that changes during one run. */
export class AgentRunState implements CallScope {
  readonly run: AgentRun;
  readonly lifetime: RunLifetime;
  readonly normalizer: CallNormalizer;
  readonly steps: AgentStep[] = [];
  usage: Usage = NO_USAGE;
  readonly running: CallScope['running'];
  contextId: CallScope['contextId'];
  readonly agentPolicy: CallScope['agentPolicy'];
  readonly runPolicy: CallScope['runPolicy'];
  policies: CallScope['policies'];
  corrections: CallScope['corrections'];
  unknownCalls = 0;
  readonly unknownToolLimit: number;
  /** What a handler of errors threw. */
  failure?: { readonly error: unknown };
  /** Steps in a row in which no call succeeded. */
  failedSteps = 0;
  onProgress?: (call: ToolCall, value: unknown) => void;
  /** Set if somebody reads the events; none is built otherwise. */
  emit?: Emit<AgentEvent>;
  /** Set if the application observes its runs. */
  emitter?: RunEmitter | undefined;
  /** Text of the current turn. */
  text = '';
  /** Number of the current step, from 1. */
  step = 0;
  toolCallCount = 0;
  /** Whether the limit of calls kept every call of the last step from running. */
  isCallLimited = false;
  /** Whether the next turn of the model is reminded to answer. */
  isReminded = false;

  private readonly inputLength: number;
  private foundInstances?: NonNullable<CallScope['instances']>;

  constructor(readonly plan: AgentRunPlan) {
    this.run = {
      id: randomUUID(),
      agent: plan.agent,
      request: plan.request,
      context: plan.context,
    };
    this.lifetime = new RunLifetime(plan.limits.timeout, plan.signal);
    this.running = this.lifetime.running;
    this.agentPolicy = plan.agentPolicy;
    this.runPolicy = plan.runPolicy;
    this.unknownToolLimit = plan.limits.unknownTools;
    this.normalizer = new CallNormalizer(plan.tools, plan.callIds);
    this.inputLength = plan.messages.length;
  }

  /** Made for the first tool that needs it. */
  get instances(): NonNullable<CallScope['instances']> {
    this.foundInstances ??= new Map();
    return this.foundInstances;
  }

  get tools(): ReadonlyMap<string, BoundTool> {
    return this.plan.tools;
  }

  get aborted(): boolean {
    return this.lifetime.aborted || this.failure !== undefined;
  }

  /** The calls that are still running end, and then the run. */
  fail(error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    for (const call of this.running ?? []) call.abortByRun(error);
  }

  /** The tokens of one more answer. */
  addUsage({ usage }: ChatResponse): void {
    this.usage = addUsage(this.usage, usage);
  }

  addAssistant(content: readonly AssistantPart[]): void {
    if (isSendable(content)) this.plan.messages.push({ role: 'assistant', content });
  }

  partial(): Omit<AgentResult, 'status' | 'finishReason'> {
    return {
      runId: this.run.id,
      text: this.text,
      messages: this.plan.messages.slice(this.inputLength),
      steps: this.steps,
      usage: this.usage,
    };
  }

  result(status: AgentStatus, finishReason: AgentFinishReason): AgentResult {
    const { runId, text, messages, steps, usage } = this.partial();
    return { runId, status, text, messages, steps, usage, finishReason };
  }

  abortedResult(): AgentResult {
    return this.result('aborted', this.lifetime.timedOut ? 'timeout' : 'aborted');
  }
}
