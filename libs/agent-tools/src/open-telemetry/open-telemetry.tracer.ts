import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, SpanKind, Tracer } from '@opentelemetry/api';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import type { ChatRequest, ChatResponse } from '../models/interfaces/chat-model.interface.js';
import type { AgentRun } from '../tools/interfaces/agent-run.interface.js';
import type { ToolDefinition } from '../tools/interfaces/tool-definition.interface.js';
import { joinTrace } from '../tools/trace-id.js';
import { errorMessage } from '../utils/error-message.js';
import { cutText } from '../utils/cut-text.js';
import type {
  Recording,
  RunOutcome,
  RuntimeTracer,
} from '../telemetry/interfaces/runtime-tracer.interface.js';
import { endOfChat, endOfRun, endOfTool, type SpanEnd } from './span-ends.js';
import { argumentsContent, inputContent } from './span-content.js';
import { SpanRecording } from './span.recording.js';

/** The longest that a provider takes; a name that a model made up may be longer. */
const MAX_NAME = 64;

const OPERATION = 'gen_ai.operation.name';
const CONVERSATION_ID = 'gen_ai.conversation.id';

/** The names that the GenAI conventions know. Models of other servers may have a colon in their name. */
const PROVIDERS = new Set([
  'anthropic',
  'aws.bedrock',
  'azure.ai.inference',
  'azure.ai.openai',
  'cohere',
  'deepseek',
  'gcp.gemini',
  'gcp.gen_ai',
  'gcp.vertex_ai',
  'groq',
  'ibm.watsonx.ai',
  'mistral_ai',
  'openai',
  'perplexity',
  'x_ai',
]);

interface SpanPlan<Outcome> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Built only for spans that are sampled. */
  readonly content: () => Attributes;
  readonly end: (outcome: Outcome | undefined, error: unknown) => SpanEnd;
}

/** Makes spans with the names and attributes of OpenTelemetry's conventions for generative AI. */
export class OpenTelemetryTracer implements RuntimeTracer {
  /** What the turns of a run have to know of it. */
  private readonly conversationKey: symbol;

  constructor(
    private readonly api: typeof OpenTelemetry,
    private readonly tracer: Tracer,
    private readonly hasContent: boolean,
  ) {
    this.conversationKey = api.createContextKey('nestjs-agent-tools conversation');
  }

  startRun(run: AgentRun, input: () => unknown): Recording<RunOutcome> {
    const { api, hasContent } = this;
    return this.guard(() => {
      const conversation = conversationOf(run);
      const context = api.context.active().setValue(this.conversationKey, conversation);
      const plan: SpanPlan<RunOutcome> = {
        name: named('invoke_agent', run.agent),
        kind: api.SpanKind.INTERNAL,
        attributes: {
          [OPERATION]: 'invoke_agent',
          'gen_ai.agent.name': run.agent,
          [CONVERSATION_ID]: conversation,
        },
        content: () => inputContent(input),
        end: (outcome, error) => endOfRun(outcome, error, hasContent),
      };
      return this.open(plan, context, run);
    });
  }

  startChat(modelName: string, request: ChatRequest): Recording<ChatResponse> {
    const { api, hasContent } = this;
    return this.guard(() => {
      const context = api.context.active();
      const { provider, model } = splitName(modelName);
      const plan: SpanPlan<ChatResponse> = {
        name: named('chat', model),
        kind: api.SpanKind.CLIENT,
        attributes: {
          [OPERATION]: 'chat',
          'gen_ai.provider.name': provider,
          'gen_ai.request.model': model,
          [CONVERSATION_ID]: context.getValue(this.conversationKey) as string | undefined,
        },
        content: () => inputContent(() => request.messages),
        end: (outcome, error) => endOfChat(outcome, error, hasContent),
      };
      return this.open(plan, context);
    });
  }

  startTool(
    call: { readonly id: string; readonly name: string; readonly input: unknown },
    definition: ToolDefinition | undefined,
    run?: AgentRun,
  ): Recording<ToolCallResult> {
    const { api, hasContent } = this;
    return this.guard(() => {
      const context = api.context.active();
      const tool = definition?.name ?? cutText(call.name, MAX_NAME);
      const plan: SpanPlan<ToolCallResult> = {
        name: named('execute_tool', tool),
        kind: api.SpanKind.INTERNAL,
        attributes: {
          [OPERATION]: 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': call.id,
          'gen_ai.tool.description': definition?.description || undefined,
        },
        content: () => argumentsContent(call.input),
        end: (outcome, error) => endOfTool(outcome, error, hasContent),
      };
      return this.open(plan, context, run);
    });
  }

  private open<Outcome>(
    { name, kind, attributes, content, end }: SpanPlan<Outcome>,
    parent: Context,
    run?: AgentRun,
  ): Recording<Outcome> {
    const { api, tracer, hasContent } = this;
    const span = tracer.startSpan(name, { kind, attributes: given(attributes) }, parent);
    if (hasContent && span.isRecording()) span.setAttributes(content());
    const spanContext = span.spanContext();
    if (run && api.isSpanContextValid(spanContext)) joinTrace(run, spanContext.traceId);
    return new SpanRecording(api, span, api.trace.setSpan(parent, span), end);
  }

  /** A sampler or a span processor that fails must not fail what is recorded. */
  private guard<Outcome>(start: () => Recording<Outcome>): Recording<Outcome> {
    try {
      return start();
    } catch (error) {
      this.api.diag.error(`nestjs-agent-tools could not start a span: ${errorMessage(error)}`);
      return UNRECORDED;
    }
  }
}

const UNRECORDED: Recording<unknown> = { run: (work) => work(), end: () => undefined };

function named(operation: string, subject: string | undefined): string {
  return subject ? `${operation} ${subject}` : operation;
}

function splitName(name: string): { provider?: string; model: string } {
  const at = name.indexOf(':');
  const provider = name.slice(0, Math.max(at, 0));
  return PROVIDERS.has(provider) ? { provider, model: name.slice(at + 1) } : { model: name };
}

function conversationOf({ context }: AgentRun): string | undefined {
  const { conversationId } = context as { conversationId?: unknown };
  return typeof conversationId === 'string' && conversationId !== '' ? conversationId : undefined;
}

/** Samplers see the attributes as they are, those without a value included. */
function given(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
