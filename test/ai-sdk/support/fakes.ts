import type { AiSdkLanguageModel, AiSdkSpecification } from 'nestjs-agent-tools/ai-sdk';

export type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a fake was called with. */
export interface FakeCall {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly abortSignal: AbortSignal;
  readonly [option: string]: unknown;
}

export interface FakeModel extends AiSdkLanguageModel {
  readonly calls: FakeCall[];
  /** Why its streams were cancelled. */
  readonly cancelled: unknown[];
}

interface FakeOptions {
  readonly version?: AiSdkSpecification;
  readonly provider?: string;
  readonly generate?: (call: FakeCall) => unknown;
  readonly stream?: (call: FakeCall) => ReadableStream<unknown> | Promise<ReadableStream<unknown>>;
}

/** A language model as a package of the AI SDK would bring one. */
export function fake({
  version = 'v4',
  provider = 'acme.messages',
  ...doings
}: FakeOptions): FakeModel {
  const calls: FakeCall[] = [];
  const cancelled: unknown[] = [];
  return {
    specificationVersion: version,
    provider,
    modelId: 'm1',
    calls,
    cancelled,
    doGenerate: async (options: FakeCall) => {
      calls.push(options);
      return doings.generate?.(options);
    },
    doStream: async (options: FakeCall) => {
      calls.push(options);
      return { stream: await doings.stream?.(options) };
    },
  };
}

/** A stream of these parts. `open` leaves it without an end. */
export function partsOf(
  parts: readonly unknown[],
  { open = false, cancelled }: { open?: boolean; cancelled?: unknown[] } = {},
): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (!open) controller.close();
    },
    cancel(reason) {
      cancelled?.push(reason);
    },
  });
}

export const USAGE_V2 = {
  inputTokens: 10,
  outputTokens: 4,
  totalTokens: 14,
  reasoningTokens: 1,
  cachedInputTokens: 3,
};

export const USAGE_V3 = {
  inputTokens: { total: 10, noCache: 5, cacheRead: 3, cacheWrite: 2 },
  outputTokens: { total: 4, text: 3, reasoning: 1 },
};

/** The end of an answer as each specification says it. */
export function endOf(
  version: AiSdkSpecification,
  reason: string,
  raw: string | undefined = reason,
): { finishReason: unknown; usage: unknown } {
  return version === 'v2'
    ? { finishReason: reason, usage: USAGE_V2 }
    : { finishReason: { unified: reason, raw }, usage: USAGE_V3 };
}

export function textParts(text: string, version: AiSdkSpecification = 'v4'): Part[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
    { type: 'finish', ...endOf(version, 'stop') },
  ];
}
