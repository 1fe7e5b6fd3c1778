import { Injectable, Logger } from '@nestjs/common';
import { ToolExecutor } from '../execution/tool.executor.js';
import { isMeaningful } from '../models/assistant-content.js';
import type { AssistantPart } from '../models/interfaces/chat-message.interface.js';
import type { ChatResponse } from '../models/interfaces/chat-model.interface.js';
import { errorMessage } from '../utils/error-message.js';
import { isDebugEnabled } from '../utils/is-debug-enabled.js';
import { AgentRunException } from './agent-run.exception.js';
import type { AgentRunState } from './agent-run.state.js';
import type { NormalizedTurn } from './call.normalizer.js';
import type { AgentResult } from './interfaces/agent-result.interface.js';
import { ModelTurn } from './model.turn.js';
import { ToolTurn } from './tool.turn.js';

/**
 * The ReAct loop: the model reasons and calls tools, reads their results, and answers. One function
 * serves `run()` and `stream()`; it builds events only if somebody observes. (It is no async
 * generator: handing each event through nested generators was most of the cost of a run.)
 */
@Injectable()
export class AgentLoop {
  private readonly logger = new Logger('AgentTools');
  private readonly modelTurn = new ModelTurn();
  private readonly toolTurn: ToolTurn;

  constructor(executor: ToolExecutor) {
    this.toolTurn = new ToolTurn(executor);
  }

  /**
   * Resolves to how the run ended.
   *
   * @throws AgentRunException
   */
  async run(state: AgentRunState): Promise<AgentResult> {
    const { plan, lifetime, run, emit } = state;
    lifetime.start();
    try {
      await emit?.({ type: 'run-started', runId: run.id, step: 0, agent: plan.agent });
      return await this.steps(state);
    } catch (failure) {
      throw toRunException(failure, state);
    } finally {
      lifetime.end();
    }
  }

  private async steps(state: AgentRunState): Promise<AgentResult> {
    const { plan, run, emit } = state;
    let hasReminded = false;
    for (;;) {
      if (state.aborted) return state.abortedResult();
      if (state.steps.length >= plan.limits.steps) return this.lastTurn(state);
      const started = performance.now();
      const step = ++state.step;
      if (emit) await emit({ type: 'step-started', runId: run.id, step });

      const response = await this.modelTurn.take(state, step === 1 ? plan.toolChoice : 'auto');
      if (!response) return state.abortedResult();
      const { finishReason, usage } = response;
      const turn = state.normalizer.normalize(response.content, finishReason);
      state.text = textOf(turn.content);
      state.usage.add(usage);
      state.addAssistant(turn.content);
      const toolResults =
        turn.calls.length > 0 ? await this.toolTurn.take(state, turn, finishReason) : [];
      const duration = performance.now() - started;
      state.steps.push({ step, finishReason, toolResults, usage, duration });
      this.log(state, turn, response, duration);
      if (emit) {
        await emit({ type: 'step-finished', runId: run.id, step, finishReason, usage, duration });
      }

      refuseError(response);
      if (isEmpty(turn, response)) {
        if (hasReminded) throw new Error(`The model "${plan.model.name}" answered nothing, twice.`);
        hasReminded = true;
        state.isReminded = true;
        continue;
      }
      const isOver = turn.calls.length === 0 || finishReason === 'content-filter';
      if (isOver) return state.result('completed', finishReason);
    }
  }

  /** At the limit the model answers from what it has: the tools stay listed, but none may be called. */
  private async lastTurn(state: AgentRunState): Promise<AgentResult> {
    const { plan, run, step, emit } = state;
    const response = await this.modelTurn.take(state, 'none');
    if (!response) return state.abortedResult();
    state.usage.add(response.usage);
    refuseError(response);
    const answer = response.content.filter(
      (part) => part.type !== 'tool-call' && isMeaningful(part),
    );
    state.text = textOf(answer);
    const isBlank = state.text.trim() === '';
    if (isBlank) state.text = unfinishedText(plan.limits.steps);
    state.addAssistant(isBlank ? [{ type: 'text', text: state.text }] : answer);
    if (isBlank) await emit?.({ type: 'text-delta', runId: run.id, step, text: state.text });
    return state.result('limited', 'step-limit');
  }

  private log(
    { run, step }: AgentRunState,
    { calls }: NormalizedTurn,
    { usage }: ChatResponse,
    duration: number,
  ): void {
    if (!isDebugEnabled()) return;
    const names = calls.map(({ name }) => name).join(', ') || 'no calls';
    const tokens = usage ? `${usage.totalTokens} tokens` : 'tokens unknown';
    this.logger.debug(`run ${run.id} step ${step}: ${names}, ${tokens}, ${duration.toFixed(0)} ms`);
  }
}

function textOf(content: readonly AssistantPart[]): string {
  if (content.length === 1 && content[0].type === 'text') return content[0].text;
  return content
    .filter((part) => part.type === 'text')
    .map(({ text }) => text)
    .join('');
}

/** A turn that was cut off or filtered may be empty; asking again would not help. */
function isEmpty({ calls, content }: NormalizedTurn, { finishReason }: ChatResponse): boolean {
  if (calls.length > 0 || textOf(content).trim() !== '') return false;
  return finishReason === 'stop' || finishReason === 'tool-calls' || finishReason === 'other';
}

function unfinishedText(steps: number): string {
  return `I could not finish this within ${steps} step${steps === 1 ? '' : 's'}.`;
}

function refuseError({ finishReason }: ChatResponse): void {
  if (finishReason === 'error') throw new Error('The model ended its turn with an error.');
}

/** Also what a model throws that is itself an agent: the run that failed is this one. */
function toRunException(failure: unknown, state: AgentRunState): AgentRunException {
  return new AgentRunException(
    `The agent run failed in step ${state.step}: ${errorMessage(failure)}`,
    state.partial(),
    failure,
  );
}
