import { Injectable, type Type } from '@nestjs/common';
import {
  CurrentToolCall,
  Tool,
  ToolInput,
  type ToolCall,
  type ToolOptions,
} from 'nestjs-agent-tools';
import { z } from 'zod';

export const WorkInput = z.object({
  n: z.number().int().optional(),
  password: z.string().min(8).optional(),
});
export type WorkInput = z.output<typeof WorkInput>;

export type Work = (input: WorkInput, call: ToolCall) => unknown;

/** A provider with one tool, `work` if it is not named otherwise. */
export function toolOf(
  options: Omit<ToolOptions, 'inputSchema' | 'outputSchema'>,
  work: Work,
): Type<object> {
  @Injectable()
  class WorkTools {
    @Tool({ name: 'work', description: 'Works.', ...options, inputSchema: WorkInput })
    work(@ToolInput() input: WorkInput, @CurrentToolCall() call: ToolCall) {
      return work(input, call);
    }
  }
  return WorkTools;
}

/** Counts how often it worked. */
export function counting(work: Work = () => 'done'): Work & { count: number } {
  const counted = Object.assign(
    (...args: Parameters<Work>) => {
      counted.count++;
      return work(...args);
    },
    { count: 0 },
  );
  return counted;
}

/** Throws the error as often as it is called. */
export const failing =
  (error: unknown): Work =>
  () => {
    throw error;
  };
