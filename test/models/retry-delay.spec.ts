import { describe, expect, it } from '@jest/globals';
import { ChatModelException } from 'nestjs-agent-tools';
import { retryDelay } from '../../libs/agent-tools/src/models/retries/retry-delay.js';

const busy = (retryAfter?: number) =>
  new ChatModelException('busy', { retryable: true, retryAfter });

describe('the wait before a repetition', () => {
  it('doubles, less a quarter at most, up to 30 seconds', () => {
    for (const [retry, most] of [
      [0, 500],
      [1, 1_000],
      [4, 8_000],
      [6, 30_000],
      [50, 30_000],
    ] as const) {
      const delays = Array.from({ length: 200 }, () => retryDelay(busy(), retry) ?? 0);
      expect(Math.max(...delays)).toBeLessThanOrEqual(most);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.75 * most);
      expect(new Set(delays).size).toBeGreaterThan(100);
    }
  });

  it('is never below what the server asks for', () => {
    for (let n = 0; n < 100; n++) {
      const delay = retryDelay(busy(2_000), 0);
      expect(delay).toBeGreaterThanOrEqual(2_000);
      expect(delay).toBeLessThan(2_200);
    }
    expect(retryDelay(busy(10), 2)).toBeGreaterThanOrEqual(1_500);
  });

  it('is refused when the server asks for more than a minute', () => {
    expect(retryDelay(busy(60_000), 0)).toBeGreaterThanOrEqual(60_000);
    expect(retryDelay(busy(60_001), 0)).toBeUndefined();
  });

  it('is refused for errors that would come again', () => {
    expect(retryDelay(new ChatModelException('bad'), 0)).toBeUndefined();
    expect(retryDelay(new Error('bug'), 0)).toBeUndefined();
  });
});
