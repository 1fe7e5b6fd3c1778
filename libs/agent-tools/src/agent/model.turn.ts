import { ChatStreamAssembler } from '../models/answers/chat-stream.assembler.js';
import type {
  ChatDelta,
  ChatRequest,
  ChatResponse,
  ToolChoice,
} from '../models/interfaces/chat-model.interface.js';
import type { ChatMessage } from '../models/interfaces/chat-message.interface.js';
import type { Recording } from '../telemetry/interfaces/runtime-tracer.interface.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { AgentRunState } from './agent-run.state.js';
import type { Emit } from './event.channel.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';

/** Asked once in a run when a model answers neither with text nor with calls. */
const REMINDER: ChatMessage = {
  role: 'user',
  content: 'Your last reply was empty. Answer the user now, or call a tool.',
};

/** One answer of the model, streamed if the run is observed. */
export class ModelTurn {
  constructor(private readonly telemetry: Telemetry) {}

  /** Resolves to undefined if the run was aborted meanwhile. */
  async take(state: AgentRunState, toolChoice: ToolChoice): Promise<ChatResponse | undefined> {
    const { messages, chatTools, settings } = state.plan;
    const request: ChatRequest = {
      // Not stored: the application would show it as something that the user said.
      messages: state.isReminded ? [...messages, REMINDER] : messages,
      tools: chatTools,
      // Without tools, most servers refuse a choice among them.
      toolChoice: chatTools.length > 0 ? toolChoice : undefined,
      settings,
    };
    state.text = '';
    state.isReminded = false;
    try {
      const { tracer } = this.telemetry;
      return await (tracer
        ? this.record(state, request, tracer.startChat(state.plan.model.name, request))
        : this.ask(state, request));
    } catch (error) {
      if (state.aborted) return undefined;
      throw error;
    }
  }

  private async record(
    state: AgentRunState,
    request: ChatRequest,
    recording: Recording<ChatResponse>,
  ): Promise<ChatResponse> {
    try {
      const response = await recording.run(() => this.ask(state, request));
      recording.end(response);
      return response;
    } catch (error) {
      recording.end(undefined, error);
      throw error;
    }
  }

  private async ask(state: AgentRunState, request: ChatRequest): Promise<ChatResponse> {
    const response: ChatResponse | undefined = await (state.emit
      ? this.stream(state, request, state.emit)
      : this.generate(state, request));
    if (isAnswer(response)) return response;
    throw new Error(
      `The model "${state.plan.model.name}" gave ${response ? 'an answer in another form' : 'no answer at all'}. ` +
        "Its generate() must resolve to { content: [{ type: 'text', text: '…' }], finishReason: 'stop' }.",
    );
  }

  private generate({ plan, lifetime }: AgentRunState, request: ChatRequest): Promise<ChatResponse> {
    return lifetime.wait(() => plan.model.generate(request, lifetime.chatOptions));
  }

  private async stream(
    state: AgentRunState,
    request: ChatRequest,
    emit: Emit<AgentEvent>,
  ): Promise<ChatResponse> {
    const { plan, lifetime, run, step } = state;
    const assembler = new ChatStreamAssembler();
    let deltas: AsyncIterator<ChatDelta, unknown> | undefined;
    const read = () => {
      deltas ??= plan.model.stream(request, lifetime.chatOptions)[Symbol.asyncIterator]();
      return deltas.next();
    };
    let isDone = false;
    try {
      for (;;) {
        const next = await lifetime.wait(read);
        if (next.done) break;
        const delta = next.value;
        assembler.push(delta);
        if (delta.type === 'restart') state.text = '';
        // A piece without text carries only what the provider wants back.
        if ((delta.type !== 'text' && delta.type !== 'reasoning') || delta.text === '') continue;
        if (delta.type === 'text') state.text += delta.text;
        const type = delta.type === 'text' ? 'text-delta' : 'reasoning-delta';
        const consumer = emit({ type, runId: run.id, step, text: delta.text }, true);
        if (consumer) await consumer;
      }
      isDone = true;
      return assembler.finish();
    } finally {
      if (!isDone) void release(deltas);
    }
  }
}

/** The model may be one of the application, and written in JavaScript. */
function isAnswer(response: Partial<ChatResponse> | undefined): response is ChatResponse {
  return Array.isArray(response?.content) && typeof response.finishReason === 'string';
}

/** Lets a model that was left early clean up; a model that ignores its signal is not waited for. */
async function release(deltas: AsyncIterator<ChatDelta, unknown> | undefined): Promise<void> {
  try {
    await deltas?.return?.();
  } catch {
    // The run ended for another reason; a failed clean-up is not its outcome.
  }
}
