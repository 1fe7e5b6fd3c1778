import type { INestApplicationContext } from '@nestjs/common';
import { ToolExecutor, type ToolCallResult, type ToolExecuteOptions } from 'nestjs-agent-tools';

/**
 * Calls a tool of an application or a testing module through the whole pipeline, as a model would:
 * guards, interceptors, validation, pipes, filters. `overrideGuard()` and `overrideProvider()` of the
 * testing module take part. It rejects only with what a handler of errors throws; look at
 * `status`, which is `error` for a name that no tool has, too.
 *
 * ```ts
 * const result = await callTool(app, 'refund', { orderNo: 'A-1' }, { request: { user: admin } });
 * expect(result.status).toBe('success');
 * ```
 *
 * @publicApi
 */
export function callTool(
  app: INestApplicationContext,
  name: string,
  args: unknown,
  options?: ToolExecuteOptions,
): Promise<ToolCallResult> {
  return app.get(ToolExecutor, { strict: false }).execute(name, args, options);
}
