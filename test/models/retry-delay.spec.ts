import { describe, expect, it } from '@jest/globals';
import { ChatModelException } from 'nestjs-agent-tools';
import { retryDelay } from '../../libs/agent-tools/src/models/retries/retry-delay.js';

const busy = (retryAfter?: number) =>
  new ChatModelException('busy', { retryable: true, retryAfter });

const delays = (retry: number, retryAfter?: number, policy = {}) =>
  Array.from({ length: 1_000 }, () => retryDelay(busy(retryAfter), retry, policy) ?? NaN);

describe('the wait before a repetition', () => {
  it.each([
    [0, 500],
    [1, 1_000],
    [4, 8_000],
    [6, 30_000],
    [50, 30_000],
    [5_000, 30_000],
  ])('is left to chance between nothing and what has doubled: %i', (retry, most) => {
    const waits = delays(retry);
    expect(Math.max(...waits)).toBeLessThan(most);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    // Each tenth of the span is met about 100 times; below 40 is one chance in billions.
    for (let tenth = 0; tenth < 10; tenth++) {
      const met = waits.filter((wait) => Math.floor((10 * wait) / most) === tenth);
      expect(met.length).toBeGreaterThan(40);
    }
  });

  it('follows the policy', () => {
    expect(Math.max(...delays(0, undefined, { delay: 8 }))).toBeLessThan(8);
    const capped = delays(9, undefined, { delay: 8, maxDelay: 100 });
    expect(Math.max(...capped)).toBeLessThan(100);
    expect(Math.max(...capped)).toBeGreaterThan(50);
    expect(new Set(delays(9, undefined, { delay: 0 }))).toEqual(new Set([0]));
  });

  it('is never below what the server asks for, and chance is added to it', () => {
    const waits = delays(0, 2_000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...waits)).toBeLessThan(2_500);
    expect(new Set(waits).size).toBeGreaterThan(900);
  });

  it.each([-5, NaN])('is that of chance alone if the server asks for %d', (retryAfter) => {
    const waits = delays(0, retryAfter);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeLessThan(500);
  });

  it('is refused when the server asks for more than is allowed', () => {
    expect(retryDelay(busy(60_000), 0)).toBeGreaterThanOrEqual(60_000);
    expect(retryDelay(busy(60_001), 0)).toBeUndefined();
    expect(retryDelay(busy(Infinity), 0)).toBeUndefined();
    expect(retryDelay(busy(10), 0, { maxRetryAfter: 9 })).toBeUndefined();
    expect(retryDelay(busy(90_000), 0, { maxRetryAfter: 90_000 })).toBeGreaterThanOrEqual(90_000);
  });

  it('is refused for errors that would come again', () => {
    expect(retryDelay(new ChatModelException('bad'), 0)).toBeUndefined();
    expect(retryDelay(new Error('bug'), 0)).toBeUndefined();
    expect(retryDelay({ retryable: true }, 0)).toBeUndefined();
  });
});
