/** What the runtime of tools does, each thing once, as an application uses it: what a call is given. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import {
  CurrentToolCall,
  RunContext,
  Tool,
  tool,
  ToolExecutionContext,
  ToolInput,
  ToolParam,
  ToolSignal,
  type AgentTool,
  type ToolCall,
  type ToolMiddleware,
} from 'nestjs-agent-tools';
import { z } from 'zod';
import { gate, idle } from '../loop/support/time.js';
import { readings, recorded, start } from './support/start.js';

interface UserRequest {
  readonly user: string;
}

const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<UserRequest>().user,
);

@Injectable()
class AccountTools {
  readonly calls: ToolCall[] = [];
  runs = 0;

  @Tool('Close an account.')
  close(
    @ToolParam('reason') reason: string,
    @CurrentUser() user: string,
    @RunContext() context: { tenant: string },
    @RunContext('tenant') tenant: string,
    @ToolSignal() signal: AbortSignal,
    @CurrentToolCall() call: ToolCall,
  ) {
    this.runs++;
    this.calls.push(call);
    return { reason, user, context, tenant, isAborted: signal.aborted };
  }
}

const STORE = new AsyncLocalStorage<{ n: unknown }>();

/** Enters a store for the rest of the call, as guards of tracing libraries do. */
class StoreGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { n } = ToolExecutionContext.create(context).getInput() as { n: unknown };
    STORE.enterWith({ n });
    return true;
  }
}

@Injectable()
@UseGuards(StoreGuard)
class MeetTools {
  private readonly door = gate();
  private count = 0;

  @Tool('Waits until three others have begun.')
  async meet(@ToolParam('n') n: number, @RunContext('tenant') tenant: string) {
    const before = STORE.getStore()?.n;
    if (++this.count === 4) this.door.open();
    await this.door.opened;
    await idle();
    return { n, tenant, before, after: STORE.getStore()?.n };
  }
}

const CLOSE = { id: 'call_a', tool: 'close', arguments: { reason: 'moved' } };
const ADA = { request: { user: 'Ada' }, context: { tenant: 'acme' } };

describe('what a method is given', () => {
  it('is what the model sends, and what the application says of the run and the call', async () => {
    const { app, run } = await start({ providers: [AccountTools] });
    const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
    const { result, results } = await run([{ calls: [CLOSE], usage }, 'Done.'], ADA);
    expect(results[0].value).toEqual({
      reason: 'moved',
      user: 'Ada',
      context: { tenant: 'acme' },
      tenant: 'acme',
      isAborted: false,
    });
    const [call] = app.get(AccountTools).calls;
    expect(call).toMatchObject({ id: 'call_a', name: 'close', step: 1, attempt: 1 });
    expect(call.run).toEqual({ id: result.runId, agent: undefined, ...ADA });
    expect(call.input).toEqual({ reason: 'moved' });
    expect(call.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('says how many tokens the run has used so far', async () => {
    let used: number | undefined;
    const asking = tool({ name: 'ask', description: 'Asks.' }, (_input, call) => {
      used = call.usage.totalTokens;
    });
    const { run } = await start({ tools: [asking] });
    const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
    await run([
      { calls: [{ tool: 'ask' }], usage },
      { text: 'Done.', usage },
    ]);
    expect(used).toBe(10);
  });

  it('is not part of what the model is told of the tool', async () => {
    const { registry } = await start({ providers: [AccountTools] });
    const { properties } = registry.get('close')?.inputSchema.jsonSchema ?? {};
    expect(Object.keys(properties ?? {})).toEqual(['reason']);
  });
});

describe('calls that run at the same time', () => {
  it('keep their own run, and what a guard entered for them', async () => {
    const { step } = await start({ providers: [MeetTools] });
    const meet = (n: number) => ({ tool: 'meet', arguments: { n } });
    const runs = await Promise.all([
      step([meet(1), meet(2)], { context: { tenant: 'acme' } }),
      step([meet(3), meet(4)], { context: { tenant: 'umbrella' } }),
    ]);
    expect(runs.flatMap(({ results }) => results.map(({ value }) => value))).toEqual([
      { n: 1, tenant: 'acme', before: 1, after: 1 },
      { n: 2, tenant: 'acme', before: 2, after: 2 },
      { n: 3, tenant: 'umbrella', before: 3, after: 3 },
      { n: 4, tenant: 'umbrella', before: 4, after: 4 },
    ]);
    expect(STORE.getStore()).toBeUndefined();
  });
});

const SearchInput = z.object({ text: z.string(), region: z.string().default('world') });
type SearchInput = z.output<typeof SearchInput>;

/** Decides the region, whatever the model wrote. */
@Injectable()
class RegionMiddleware implements ToolMiddleware {
  region = 'eu';

  input(input: unknown) {
    return { ...(input as object), region: this.region };
  }
}

@Injectable()
class SearchTools {
  @Tool({ description: 'Search.', inputSchema: SearchInput })
  searchMethod(@ToolInput() { region }: SearchInput) {
    return region;
  }
}

@Injectable()
class SearchTool implements AgentTool<typeof SearchInput> {
  readonly name = 'searchClass';
  readonly description = 'Search.';
  readonly inputSchema = SearchInput;
  execute({ region }: SearchInput) {
    return region;
  }
}

const searchFunction = tool(
  { name: 'searchFunction', description: 'Search.', inputSchema: SearchInput },
  ({ region }) => region,
);

describe('what the application sets', () => {
  it('wins over the model for tools of every form, and may be changed meanwhile', async () => {
    const { app, step } = await start({
      module: { toolMiddleware: [RegionMiddleware] },
      providers: [RegionMiddleware, SearchTools, SearchTool],
      tools: [SearchTool, searchFunction],
    });
    const calls = ['searchMethod', 'searchClass', 'searchFunction'].map((name) => ({
      tool: name,
      arguments: { text: 'lamp', region: 'us' },
    }));
    expect(readings((await step(calls)).model)).toEqual(['eu', 'eu', 'eu']);
    app.get(RegionMiddleware).region = 'asia';
    expect(readings((await step(calls)).model)).toEqual(['asia', 'asia', 'asia']);
  });

  it.each(['user', 'tenant', 'context', 'signal', 'call', 'request'])(
    'cannot be sent by the model: "%s" is refused by name, and the method does not run',
    async (field) => {
      const started = await start({ providers: [AccountTools] });
      const events = recorded(started);
      const { model } = await started.step(
        [{ ...CLOSE, arguments: { reason: 'moved', [field]: 'Eve' } }],
        ADA,
      );
      expect(readings(model)[0]).toContain(`${field}: is not an argument of this tool`);
      expect(started.app.get(AccountTools).runs).toBe(0);
      expect(events.map(({ type }) => type)).not.toContain('tool-input');
    },
  );
});
