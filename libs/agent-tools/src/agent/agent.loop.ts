import { Injectable, Logger } from '@nestjs/common';
import { ToolExecutor } from '../execution/tool.executor.js';
import { isMeaningful } from '../models/assistant-content.js';
import type { AssistantPart } from '../models/interfaces/chat-message.interface.js';
import type { ChatResponse } from '../models/interfaces/chat-model.interface.js';
import { errorMessage } from '../utils/error-message.js';
import { AgentRunException } from './agent-run.exception.js';
import type { AgentRunState } from './agent-run.state.js';
import type { NormalizedTurn } from './call.normalizer.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';
import type { AgentResult } from './interfaces/agent-result.interface.js';
import { ModelTurn } from './model.turn.js';
import { ToolTurn } from './tool.turn.js';

type Events<Result> = AsyncGenerator<AgentEvent, Result, void>;

/**
 * The ReAct loop: the model reasons and calls tools, reads their results, and answers. One async
 * generator serves `run()` and `stream()`; it builds events only if somebody observes.
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
   * Returns how the run ended, after a `run-finished` event.
   *
   * @throws AgentRunException after a `run-failed` event
   */
  async *run(state: AgentRunState): Events<AgentResult> {
    const { plan, lifetime, run } = state;
    lifetime.start();
    let outcome: AgentResult | AgentRunException;
    try {
      if (plan.observed) yield { type: 'run-started', runId: run.id, step: 0, agent: plan.agent };
      outcome = yield* this.steps(state);
    } catch (failure) {
      outcome = toRunException(failure, state);
    } finally {
      // Before the last event: a consumer may stop there.
      lifetime.end();
    }
    const base = { runId: run.id, step: state.step };
    if (outcome instanceof AgentRunException) {
      if (plan.observed) yield { ...base, type: 'run-failed', error: outcome };
      throw outcome;
    }
    if (plan.observed) yield { ...base, type: 'run-finished', result: outcome };
    return outcome;
  }

  private async *steps(state: AgentRunState): Events<AgentResult> {
    const { plan, run } = state;
    let hasReminded = false;
    for (;;) {
      if (state.aborted) return state.abortedResult();
      if (state.steps.length >= plan.limits.steps) return yield* this.lastTurn(state);
      const started = performance.now();
      state.step++;
      if (plan.observed) yield { type: 'step-started', runId: run.id, step: state.step };

      const toolChoice = state.step === 1 ? plan.toolChoice : 'auto';
      const response = yield* this.modelTurn.take(state, toolChoice);
      if (!response) return state.abortedResult();
      const turn = state.normalizer.normalize(response.content);
      state.text = textOf(turn.content);
      state.usage.add(response.usage);
      state.addAssistant(turn.content);
      const toolResults =
        turn.calls.length > 0 ? yield* this.toolTurn.take(state, turn, response.finishReason) : [];
      const { finishReason, usage } = response;
      const duration = performance.now() - started;
      state.steps.push({ step: state.step, finishReason, toolResults, usage, duration });
      this.log(state, turn, response, duration);
      if (plan.observed) {
        const { step } = state;
        yield { type: 'step-finished', runId: run.id, step, finishReason, usage, duration };
      }

      if (state.aborted) return state.abortedResult();
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
  private async *lastTurn(state: AgentRunState): Events<AgentResult> {
    const { plan, run, step } = state;
    const response = yield* this.modelTurn.take(state, 'none');
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
    if (isBlank && plan.observed) {
      yield { type: 'text-delta', runId: run.id, step, text: state.text };
    }
    return state.result('limited', 'step-limit');
  }

  private log(
    { run, step }: AgentRunState,
    { calls }: NormalizedTurn,
    { usage }: ChatResponse,
    duration: number,
  ): void {
    if (!Logger.isLevelEnabled('debug')) return;
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
