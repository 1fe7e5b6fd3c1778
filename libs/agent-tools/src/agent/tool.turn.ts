import { runBatch } from '../execution/calls/run-batch.js';
import type { CallPolicy } from '../execution/interfaces/call-policy.interface.js';
import type { ToolCallRequest } from '../execution/interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import type { ToolExecutor } from '../execution/tool.executor.js';
import type { FinishReason } from '../models/interfaces/chat-model.interface.js';
import type { AgentRunState } from './agent-run.state.js';
import { directAnswer } from './direct-answer.js';
import type { NormalizedTurn } from './call.normalizer.js';
import type { Emit } from './event.channel.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';

type RunOne = (call: ToolCallRequest) => Promise<ToolCallResult>;

/** With any other reason the arguments may be cut off. */
const SAFE_REASONS: ReadonlySet<FinishReason> = new Set(['stop', 'tool-calls']);

/** Runs the calls of one model turn and stores their results: one each, in the order of the calls. */
export class ToolTurn {
  constructor(private readonly executor: ToolExecutor) {}

  async take(
    state: AgentRunState,
    turn: NormalizedTurn,
    reason: FinishReason,
  ): Promise<readonly ToolCallResult[]> {
    const runOne = this.runner(state, reason);
    const isParallel = (call: ToolCallRequest) => this.policyOf(call, state)?.parallel ?? true;
    const before = state.toolCallCount;
    const results = await (state.emit
      ? this.observe(state, turn, isParallel, runOne, state.emit)
      : runBatch(turn.requests, isParallel, runOne));
    state.isCallLimited = SAFE_REASONS.has(reason) && state.toolCallCount === before;
    store(state, turn, results);
    return results;
  }

  /** The text of the run, if the results of its last turn are its answer. */
  directAnswer(
    state: AgentRunState,
    { requests }: NormalizedTurn,
    results: readonly ToolCallResult[],
  ): string | undefined {
    const returnDirect = requests.map((call) => this.policyOf(call, state)?.returnDirect ?? false);
    return directAnswer(results, returnDirect);
  }

  private policyOf({ name }: ToolCallRequest, state: AgentRunState): CallPolicy | undefined {
    const tool = state.tools.get(name);
    return tool && this.executor.policyOf(tool, state);
  }

  private runner(state: AgentRunState, reason: FinishReason): RunOne {
    if (!SAFE_REASONS.has(reason)) {
      return (call) => this.executor.refuse(call, state.step, state, cutOffText(reason));
    }
    const { toolCalls } = state.plan.limits;
    return (call) => {
      if (state.toolCallCount >= toolCalls) {
        const text = `Not run: the limit of ${toolCalls} tool calls for this run is reached.`;
        return this.executor.refuse(call, state.step, state, text);
      }
      state.toolCallCount++;
      return this.executor.call(call, state.step, state);
    };
  }

  private async observe(
    state: AgentRunState,
    { requests, calls }: NormalizedTurn,
    isParallel: (call: ToolCallRequest) => boolean,
    runOne: RunOne,
    emit: Emit<AgentEvent>,
  ): Promise<ToolCallResult[]> {
    const base = { runId: state.run.id, step: state.step };
    for (const [index, { id: callId, arguments: text }] of calls.entries()) {
      const { name, arguments: parsed } = requests[index];
      const repairs = 'repairs' in parsed && parsed.repairs.length > 0 ? parsed.repairs : undefined;
      await emit({ ...base, type: 'tool-call', callId, name, arguments: text, repairs });
    }
    // The calls do not wait for the consumer: a slow one must not make them time out.
    state.onProgress = ({ id, name }, value) => {
      void emit({ ...base, type: 'tool-progress', callId: id, name, value }, true);
    };
    const results = await runBatch(requests, isParallel, async (call) => {
      const result = await runOne(call);
      void emit({ ...base, type: 'tool-result', ...result }, true);
      return result;
    });
    state.onProgress = undefined;
    return results;
  }
}

function store(
  state: AgentRunState,
  { calls }: NormalizedTurn,
  results: readonly ToolCallResult[],
): void {
  state.plan.messages.push({
    role: 'tool',
    content: results.map(({ callId, status, content }, index) => ({
      type: 'tool-result',
      callId,
      name: calls[index].name,
      status,
      content,
    })),
  });
}

function cutOffText(reason: FinishReason): string {
  return reason === 'length'
    ? 'Not run: your reply was cut off at its length limit, so the arguments may be incomplete. ' +
        'Call again with shorter arguments.'
    : `Not run: your reply ended with "${reason}", so the arguments may be incomplete.`;
}
