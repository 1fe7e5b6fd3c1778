import type { INestApplicationContext } from '@nestjs/common';
import {
  ToolExecutor,
  ToolRegistry,
  type ToolCallResult,
  type ToolExecuteOptions,
} from 'nestjs-agent-tools';

/**
 * Calls a tool of an application or a testing module through the whole pipeline, as a model would:
 * guards, interceptors, validation, pipes, filters. `overrideGuard()` and `overrideProvider()` of the
 * testing module take part. Look at `status` for how the call ended.
 *
 * ```ts
 * const result = await callTool(app, 'refund', { orderNo: 'A-1' }, { request: { user: admin } });
 * expect(result.status).toBe('success');
 * ```
 *
 * @throws Error if there is no such tool, and what a handler of errors throws
 * @publicApi
 */
export async function callTool(
  app: INestApplicationContext,
  name: string,
  args: unknown,
  options?: ToolExecuteOptions,
): Promise<ToolCallResult> {
  const tools = app.get(ToolRegistry, { strict: false }).list();
  // To a model it is a result; in a test it is a slip, which one that expects an error would not notice.
  if (!tools.some((tool) => tool.name === name || tool.chatName === name)) {
    const names = tools.map((tool) => tool.name).join(', ') || 'none';
    throw new Error(
      `callTool() found no tool "${name}". The tools of this application are: ${names}.`,
    );
  }
  return app.get(ToolExecutor, { strict: false }).execute(name, args, options);
}
