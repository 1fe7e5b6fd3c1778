import { ChatStreamAssembler } from '../models/chat-stream.assembler.js';
import type {
  ChatDelta,
  ChatRequest,
  ChatResponse,
  ToolChoice,
} from '../models/interfaces/chat-model.interface.js';
import type { AgentRunState } from './agent-run.state.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';

type Turn = AsyncGenerator<AgentEvent, ChatResponse | undefined, void>;

/** One answer of the model, streamed if the run is observed. */
export class ModelTurn {
  /** Returns undefined if the run was aborted meanwhile. */
  async *take(state: AgentRunState, toolChoice: ToolChoice): Turn {
    const { messages, chatTools, observed } = state.plan;
    const request: ChatRequest = {
      messages,
      tools: chatTools,
      // Without tools, most servers refuse a choice among them.
      toolChoice: chatTools.length > 0 ? toolChoice : undefined,
    };
    state.text = '';
    try {
      return observed ? yield* this.stream(state, request) : await this.generate(state, request);
    } catch (error) {
      if (state.aborted) return undefined;
      throw error;
    }
  }

  private generate({ plan, lifetime }: AgentRunState, request: ChatRequest): Promise<ChatResponse> {
    return lifetime.wait(plan.model.generate(request, { signal: lifetime.signal }));
  }

  private async *stream(
    state: AgentRunState,
    request: ChatRequest,
  ): AsyncGenerator<AgentEvent, ChatResponse, void> {
    const { plan, lifetime, run, step } = state;
    const assembler = new ChatStreamAssembler();
    const deltas = plan.model.stream(request, { signal: lifetime.signal })[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next: IteratorResult<ChatDelta, unknown> = await lifetime.wait(deltas.next());
        if (next.done) break;
        const delta = next.value;
        assembler.push(delta);
        if (delta.type === 'text') {
          state.text += delta.text;
          yield { type: 'text-delta', runId: run.id, step, text: delta.text };
        } else if (delta.type === 'reasoning') {
          yield { type: 'reasoning-delta', runId: run.id, step, text: delta.text };
        }
      }
      isDone = true;
      return assembler.finish();
    } finally {
      if (!isDone) release(deltas);
    }
  }
}

/** Lets a model that was left early clean up; a model that ignores its signal is not waited for. */
function release(deltas: AsyncIterator<ChatDelta>): void {
  deltas.return?.().then(undefined, () => undefined);
}
