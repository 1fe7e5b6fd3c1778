import type { Usage } from 'nestjs-agent-tools';
import { toTokenCount, toUsage, isRecord } from 'nestjs-agent-tools/model-kit';

const COUNTS = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
] as const;

/** The usage of one answer. Each count is of the whole, so a later one replaces an earlier one. */
export class UsageAccumulator {
  private readonly counts = new Map<string, number>();

  /** The usage so far, or `undefined` if nothing was counted yet. */
  add(wire: unknown): Usage | undefined {
    if (!isRecord(wire)) return undefined;
    for (const name of COUNTS) this.set(name, wire[name]);
    const { output_tokens_details: details } = wire;
    if (isRecord(details)) this.set('thinking_tokens', details.thinking_tokens);
    return this.counts.size > 0 ? this.value() : undefined;
  }

  private set(name: string, value: unknown): void {
    const count = toTokenCount(value);
    if (count !== undefined) this.counts.set(name, count);
  }

  /** What was read from the cache, or written to it, is not among Anthropic's `input_tokens`. */
  private value(): Usage | undefined {
    const { counts } = this;
    const cacheRead = counts.get('cache_read_input_tokens');
    const cacheWrite = counts.get('cache_creation_input_tokens');
    return toUsage({
      input: (counts.get('input_tokens') ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
      output: counts.get('output_tokens'),
      cacheRead,
      cacheWrite,
      reasoning: counts.get('thinking_tokens'),
    });
  }
}
