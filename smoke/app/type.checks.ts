import { type AgentRunOptions, RunContext, Tool, ToolInput } from 'nestjs-agent-tools';
import { z } from 'zod';
import './run-context';

/** What the published types must refuse; never run. */
export class TypeChecks {
  // @ts-expect-error -- the schema yields a string
  @Tool({ inputSchema: z.object({ orderNo: z.string() }) })
  wrongInput(@ToolInput() input: { orderNo: number }) {
    return input;
  }

  @Tool('The context has no such key.')
  // @ts-expect-error -- AgentRunContext is augmented with `currency` only
  wrongKey(@RunContext('currencies') value: string) {
    return value;
  }
}

// @ts-expect-error -- `currency` is a string
export const wrongContext: AgentRunOptions = { context: { currency: 1 } };
