import type { Usage } from '../models/interfaces/chat-model.interface.js';

type Counter = { -readonly [Key in keyof Usage]: Usage[Key] };

const KEYS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

/** Adds up the usage of several turns. */
export class UsageSum {
  private readonly total: Counter = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

  add(usage: Usage | undefined): void {
    if (!usage) return;
    for (const key of KEYS) {
      const value = usage[key];
      if (value !== undefined) this.total[key] = (this.total[key] ?? 0) + value;
    }
  }

  value(): Usage {
    return { ...this.total };
  }
}
