import { Inject, Injectable } from '@nestjs/common';
import {
  AGENT_TOOLS_MODULE_OPTIONS,
  DEFAULT_MAX_CORRECTIONS,
  DEFAULT_MAX_RETRY_DELAY,
  DEFAULT_RETRY_DELAY,
  DEFAULT_TOOL_TIMEOUT,
  MAX_RESULT_LENGTH,
} from '../../agent-tools.constants.js';
import { checkConcurrency, checkPolicy } from '../../tools/check-policy.js';
import type { ToolDefinition } from '../../tools/interfaces/tool-definition.interface.js';
import type {
  ToolPolicy,
  UnknownToolHandler,
} from '../../tools/interfaces/tool-policy.interface.js';
import type { BoundTool } from '../bound-tool.js';
import type { CallPolicy, RetryPlan } from '../interfaces/call-policy.interface.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { PolicyOptions } from '../interfaces/policy-options.interface.js';

/** Decides how a call is treated: the run's word wins, then the tool's, the agent's, the module's. */
@Injectable()
export class CallPolicies {
  /** Of the tools in runs of agents that say nothing themselves. */
  private readonly byTool = new WeakMap<BoundTool, CallPolicy>();

  /**
   * @throws RangeError
   */
  constructor(@Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: PolicyOptions) {
    checkPolicy(options.toolDefaults, 'The `toolDefaults` of AgentToolsModule');
    checkConcurrency(options.toolDefaults?.concurrency, 'The `toolDefaults` of AgentToolsModule');
    checkConcurrency(options.toolConcurrency, 'AgentToolsModule', 'toolConcurrency');
  }

  /** Of a call whose tool may not exist. */
  limitsOf(
    tool: BoundTool | undefined,
    scope: CallScope,
  ): Pick<CallPolicy, 'timeout' | 'maxResultLength'> {
    if (tool) return this.of(tool, scope);
    const layers = [scope.runPolicy, scope.agentPolicy, this.options.toolDefaults];
    return {
      timeout: nearest(layers, 'timeout') ?? DEFAULT_TOOL_TIMEOUT,
      maxResultLength: nearest(layers, 'maxResultLength') ?? MAX_RESULT_LENGTH,
    };
  }

  onUnknownTool({ runPolicy, agentPolicy }: CallScope): UnknownToolHandler | undefined {
    return nearest([runPolicy, agentPolicy, this.options.toolDefaults], 'onUnknownTool');
  }

  of(tool: BoundTool, scope: CallScope): CallPolicy {
    const { agentPolicy, runPolicy } = scope;
    const hasOwn = agentPolicy !== undefined || runPolicy !== undefined;
    const known = hasOwn ? (scope.policies ??= new Map<BoundTool, CallPolicy>()) : this.byTool;
    let policy = known.get(tool);
    if (!policy) {
      const { definition } = tool;
      policy = decide(definition, [
        runPolicy,
        definition.policy,
        agentPolicy,
        this.options.toolDefaults,
      ]);
      known.set(tool, policy);
    }
    return policy;
  }
}

/**
 * @param layers the nearest first; the second is the tool's own
 */
function decide(
  definition: ToolDefinition,
  layers: readonly (ToolPolicy | undefined)[],
): CallPolicy {
  const pick = <Key extends keyof ToolPolicy>(key: Key) => nearest(layers, key);
  const { idempotent, effect, policy: own } = definition;
  const isRepeatable = idempotent || effect === 'read';
  const [ofRun, , ...defaults] = layers;
  const isDestructive = effect === 'destructive';
  const byDefault = isDestructive ? nearest(defaults, 'approve') : undefined;
  return {
    timeout: pick('timeout') ?? DEFAULT_TOOL_TIMEOUT,
    parallel: pick('parallel') ?? true,
    returnDirect: pick('returnDirect') ?? false,
    maxResultLength: pick('maxResultLength') ?? MAX_RESULT_LENGTH,
    maxCorrections: pick('maxCorrections') ?? DEFAULT_MAX_CORRECTIONS,
    errors: pick('errors') ?? 'id',
    retry: isRepeatable ? toPlan(pick('retry')) : undefined,
    approve: ofRun?.approve ?? own.approve ?? byDefault,
    resultConverter: pick('resultConverter'),
    onArgumentsError: pick('onArgumentsError'),
    onExecutionError: pick('onExecutionError'),
  };
}

/** The nearest value of an option; `undefined` says nothing. */
function nearest<Layer extends object, Key extends keyof Layer>(
  layers: readonly (Layer | undefined)[],
  key: Key,
): Layer[Key] | undefined {
  return layers.find((layer) => layer?.[key] !== undefined)?.[key];
}

function toPlan(retry: ToolPolicy['retry']): RetryPlan | undefined {
  const policy = typeof retry === 'number' ? { times: retry } : retry;
  if (!policy || policy.times === 0) return undefined;
  const { times, delay = DEFAULT_RETRY_DELAY, maxDelay = DEFAULT_MAX_RETRY_DELAY, when } = policy;
  return { times, delay, maxDelay, when };
}
