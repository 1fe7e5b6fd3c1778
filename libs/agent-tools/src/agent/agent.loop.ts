import { Injectable, Logger } from '@nestjs/common';
import { ToolExecutor } from '../execution/tool.executor.js';
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

/** Asked once in a run when a model answers neither with text nor with calls. */
const REMINDER = 'Your last reply was empty. Answer the user now, or call a tool.';

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
    try {
      if (plan.observed) yield { type: 'run-started', runId: run.id, step: 0, agent: plan.agent };
      const result = yield* this.steps(state);
      if (plan.observed) yield { type: 'run-finished', runId: run.id, step: state.step, result };
      return result;
    } catch (failure) {
      const error = toRunException(failure, state);
      if (plan.observed) yield { type: 'run-failed', runId: run.id, step: state.step, error };
      throw error;
    } finally {
      lifetime.end();
    }
  }

  private async *steps(state: AgentRunState): Events<AgentResult> {
    const { plan, run } = state;
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

      const isNudge = isEmpty(turn, response);
      if (isNudge) nudge(state, plan.model.name);
      else state.addAssistant(turn.content);
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

      if (isNudge) continue;
      if (state.aborted) return state.abortedResult();
      if (finishReason === 'error') throw new Error('The model ended its turn with an error.');
      const isOver = turn.calls.length === 0 || finishReason === 'content-filter';
      if (isOver) return state.result('completed', finishReason);
    }
  }

  /** At the limit the model answers from what it has: the tools stay listed, but none may be called. */
  private async *lastTurn(state: AgentRunState): Events<AgentResult> {
    const response = yield* this.modelTurn.take(state, 'none');
    if (!response) return state.abortedResult();
    state.usage.add(response.usage);
    const answer = response.content.filter((part) => part.type !== 'tool-call');
    state.text = textOf(answer);
    if (state.text.trim() === '') {
      state.text = `I could not finish this within ${state.plan.limits.steps} steps.`;
      state.addAssistant([{ type: 'text', text: state.text }]);
    } else {
      state.addAssistant(answer);
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

function nudge(state: AgentRunState, modelName: string): void {
  if (state.hasNudged) {
    throw new Error(`The model "${modelName}" answered nothing, twice in a row or more.`);
  }
  state.hasNudged = true;
  state.plan.messages.push({ role: 'user', content: REMINDER });
}

function toRunException(failure: unknown, state: AgentRunState): AgentRunException {
  if (failure instanceof AgentRunException) return failure;
  return new AgentRunException(
    `The agent run failed in step ${state.step}: ${errorMessage(failure)}`,
    state.partial(),
    failure,
  );
}
