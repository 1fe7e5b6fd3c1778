import { Injectable, Logger } from '@nestjs/common';
import { ToolExecutor } from '../execution/tool.executor.js';
import { isMeaningful } from '../models/history/assistant-content.js';
import type { AssistantPart } from '../models/interfaces/chat-message.interface.js';
import type { ChatResponse, ChatRetry } from '../models/interfaces/chat-model.interface.js';
import { textOf } from '../models/answers/text-of.js';
import { AgentEvents } from '../events/agent-events.js';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import type { Recording } from '../telemetry/interfaces/runtime-tracer.interface.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { redactCredentials } from '../utils/redact-credentials.js';
import { RunEmitter } from './run.emitter.js';
import { errorMessage } from '../utils/error-message.js';
import { isDebugEnabled } from '../utils/is-debug-enabled.js';
import { AgentRunException } from './agent-run.exception.js';
import type { AgentRunState } from './agent-run.state.js';
import type { NormalizedTurn } from './call.normalizer.js';
import type { AgentResult, AgentStep } from './interfaces/agent-result.interface.js';
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
  private readonly modelTurn: ModelTurn;
  private readonly toolTurn: ToolTurn;

  constructor(
    executor: ToolExecutor,
    private readonly events: AgentEvents,
    private readonly telemetry: Telemetry,
  ) {
    this.modelTurn = new ModelTurn(telemetry);
    this.toolTurn = new ToolTurn(executor);
  }

  /**
   * Resolves to how the run ended.
   *
   * @throws AgentRunException
   */
  run(state: AgentRunState): Promise<AgentResult> {
    const { run, plan } = state;
    const recording = this.telemetry.tracer?.startRun(run, () => plan.messages);
    return recording ? recording.run(() => this.record(state, recording)) : this.take(state);
  }

  private async record(
    state: AgentRunState,
    recording: Recording<AgentResult>,
  ): Promise<AgentResult> {
    try {
      const result = await this.take(state);
      recording.end(result);
      return result;
    } catch (error) {
      recording.end(undefined, error);
      throw error;
    }
  }

  private async take(state: AgentRunState): Promise<AgentResult> {
    const { plan, lifetime, run, emit } = state;
    if (this.events.observed) state.emitter = new RunEmitter(this.events, state);
    const { emitter } = state;
    if (emit || emitter) lifetime.onRetry = (retry) => reportRetry(state, retry);
    lifetime.start();
    try {
      emitter?.onStart();
      await emit?.({ type: 'run-started', runId: run.id, step: 0, agent: plan.agent });
      const result = await this.steps(state);
      emitter?.onEnd(result);
      return result;
    } catch (failure) {
      const error = toRunException(failure, state);
      const agent = run.agent === undefined ? '' : ` of agent "${run.agent}"`;
      this.logger.error(`Run ${run.id}${agent}: ${redactCredentials(error.message)}`);
      emitter?.onFailure(error);
      throw error;
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
      state.emitter?.onStepStart();
      if (emit) await emit({ type: 'step-started', runId: run.id, step });

      // A model that must call, and had to each time, would never answer; one that must not never may.
      const choice = step === 1 || plan.toolChoice === 'none' ? plan.toolChoice : 'auto';
      const response = await this.modelTurn.take(state, choice);
      if (!response) return state.abortedResult();
      const { finishReason, usage } = response;
      const content = choice === 'none' ? withoutCalls(response) : response.content;
      const turn = state.normalizer.normalize(content, finishReason);
      state.text = textOf(turn);
      state.addUsage(response);
      state.addAssistant(turn.content);
      const toolResults =
        turn.calls.length > 0 ? await this.toolTurn.take(state, turn, finishReason) : [];
      const duration = performance.now() - started;
      const taken: AgentStep = { step, finishReason, toolResults, usage, duration };
      state.steps.push(taken);
      state.emitter?.onStepEnd(taken);
      this.log(state, turn, response, duration);
      if (emit) {
        await emit({ type: 'step-finished', runId: run.id, step, finishReason, usage, duration });
      }

      refuseError(response);
      if (state.failure) throw state.failure.error;
      if (toolResults.length > 0) {
        if (state.aborted) return state.abortedResult();
        const answer = this.toolTurn.directAnswer(state, turn, toolResults);
        if (answer !== undefined) return this.answerDirectly(state, answer);
        countFailedStep(state, toolResults);
      }
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

  /** The result of a tool is the answer; the model did not see it, but its next run will. */
  private async answerDirectly(state: AgentRunState, text: string): Promise<AgentResult> {
    const { run, step, emit } = state;
    state.text = text;
    state.addAssistant([{ type: 'text', text }]);
    await emit?.({ type: 'text-delta', runId: run.id, step, text });
    return state.result('completed', 'return-direct');
  }

  /** At the limit the model answers from what it has: the tools stay listed, but none may be called. */
  private async lastTurn(state: AgentRunState): Promise<AgentResult> {
    const { plan, run, step, emit } = state;
    const response = await this.modelTurn.take(state, 'none');
    if (!response) return state.abortedResult();
    state.addUsage(response);
    refuseError(response);
    const answer = withoutCalls(response).filter(isMeaningful);
    state.text = textOf({ content: answer });
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

function reportRetry({ run, step, emit, emitter }: AgentRunState, retry: ChatRetry): void {
  emitter?.onModelRetry(retry);
  void emit?.({ ...retry, type: 'model-retried', runId: run.id, step }, true);
}

/** Not every server keeps to it that there must be no calls. */
function withoutCalls({ content }: ChatResponse): AssistantPart[] {
  return content.filter((part) => part.type !== 'tool-call');
}

/** A turn that was cut off or filtered may be empty; asking again would not help. */
function isEmpty(turn: NormalizedTurn, { finishReason }: ChatResponse): boolean {
  if (turn.calls.length > 0 || textOf(turn).trim() !== '') return false;
  return finishReason === 'stop' || finishReason === 'tool-calls' || finishReason === 'other';
}

function unfinishedText(steps: number): string {
  return `I could not finish this within ${steps} step${steps === 1 ? '' : 's'}.`;
}

function refuseError({ finishReason }: ChatResponse): void {
  if (finishReason === 'error') throw new Error('The model ended its turn with an error.');
}

/**
 * A model whose calls all fail, round after round, does not get further.
 *
 * @throws Error with the last failure
 */
function countFailedStep(state: AgentRunState, results: readonly ToolCallResult[]): void {
  const { failedSteps: limit } = state.plan.limits;
  // Beyond the limit of calls nothing is run; the limit of steps ends that.
  const isFailed = !state.isCallLimited && results.every(({ status }) => status !== 'success');
  state.failedSteps = isFailed ? state.failedSteps + 1 : 0;
  if (state.failedSteps < limit) return;
  const [{ name, content }] = results.slice(-1);
  const last = typeof content === 'string' ? content : JSON.stringify(content);
  throw new Error(
    `Every tool call failed, ${limit} steps in a row (\`limits.failedSteps\`). The last one was ` +
      `"${name}": ${redactCredentials(last)}`,
  );
}

/** Also what a model throws that is itself an agent: the run that failed is this one. */
function toRunException(failure: unknown, state: AgentRunState): AgentRunException {
  return new AgentRunException(
    `The agent run failed in step ${state.step}: ${errorMessage(failure)}`,
    state.partial(),
    failure,
  );
}
