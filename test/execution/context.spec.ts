import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { TestingModule } from '@nestjs/testing';
import {
  CurrentToolCall,
  isToolContext,
  RunContext,
  Tool,
  ToolCall,
  ToolExecutionContext,
  ToolInput,
  ToolSignal,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp } from '../support/app.js';

let seen: ExecutionContext;
class Spy implements CanActivate {
  canActivate(context: ExecutionContext) {
    seen = context;
    return true;
  }
}

const Everything = createParamDecorator((_data: unknown, context: ExecutionContext) => context);

@UseGuards(Spy)
class Host {
  received: unknown[] = [];

  @Tool({ description: 'Anything.', inputSchema: z.object({ n: z.number() }) })
  run(
    @ToolInput() input: { n: number },
    @CurrentToolCall() call: ToolCall,
    @ToolSignal() signal: AbortSignal,
    @RunContext() context: object,
    @RunContext('tenant') tenant: unknown,
    @Everything() everything: ExecutionContext,
  ) {
    this.received = [input, call, signal, context, tenant, everything];
    return 'ran';
  }
}

let app: TestingModule;
afterEach(() => app.close());

const request = { headers: {}, user: { name: 'Ada' } };
const hostile = { n: 1, user: 'Eve', request: { user: 'Eve' } };

describe('the execution context of a tool call', () => {
  it('holds the real request where accessors look for one, and never what the model sent', async () => {
    app = await createApp({ providers: [Host] });
    await callTool(app, 'run', hostile, { request });
    const http = seen.switchToHttp();
    expect([http.getRequest(), http.getResponse(), http.getNext()]).toEqual([
      request,
      undefined,
      undefined,
    ]);
    const rpc = seen.switchToRpc();
    expect([rpc.getData(), rpc.getContext()]).toEqual([request, undefined]);
    const ws = seen.switchToWs();
    expect([ws.getClient(), ws.getData(), ws.getPattern()]).toEqual([
      request,
      undefined,
      undefined,
    ]);
    expect(seen.getArgs().slice(0, 3)).toEqual([request, undefined, undefined]);
    expect(seen.getArgByIndex(0)).toBe(request);
  });

  it('has nothing there without a request', async () => {
    app = await createApp({ providers: [Host] });
    await callTool(app, 'run', hostile);
    for (const value of [
      seen.switchToHttp().getRequest(),
      seen.switchToRpc().getData(),
      seen.switchToWs().getClient(),
      ...seen.getArgs().slice(0, 3),
    ]) {
      expect(value).toBeUndefined();
    }
  });

  it('names type, class and handler as declared', async () => {
    app = await createApp({ providers: [{ provide: 'HOST', useFactory: () => new Host() }] });
    await callTool(app, 'run', { n: 1 });
    expect(seen.getType()).toBe('agent-tool');
    expect(seen.getClass()).toBe(Host);
    // oxlint-disable-next-line typescript/unbound-method -- only compared
    expect(seen.getHandler()).toBe(Host.prototype.run);
  });

  it('has a typed view', async () => {
    app = await createApp({ providers: [Host] });
    await callTool(app, 'run', { n: 1 }, { request, context: { tenant: 'acme' } });
    const tool = ToolExecutionContext.create(seen);
    expect(isToolContext(seen)).toBe(true);
    expect(tool.getCall()).toBeInstanceOf(ToolCall);
    expect(tool.getCall()).toMatchObject({ name: 'run', step: 0, attempt: 1 });
    expect(tool.getInput()).toEqual({ n: 1 });
    expect(tool.getRun()).toMatchObject({ request, context: { tenant: 'acme' } });
  });

  it('can be made from the context that Nest makes for the same arguments', async () => {
    app = await createApp({ providers: [Host] });
    await callTool(app, 'run', { n: 1 });
    const nest = new ExecutionContextHost(seen.getArgs(), seen.getClass(), seen.getHandler());
    expect(() => ToolExecutionContext.create(nest)).toThrow(
      'This is a context of type "http", not of a tool call',
    );
    expect(isToolContext(nest)).toBe(false);
    nest.setType('agent-tool');
    expect(ToolExecutionContext.create(nest).getCall()).toBe(seen.getArgByIndex(3));
  });

  it('gives injected parameters their values', async () => {
    app = await createApp({ providers: [Host] });
    await callTool(app, 'run', { n: 1 }, { request, context: { tenant: 'acme' } });
    const [input, call, signal, context, tenant, everything] = app.get(Host).received;
    expect(input).toEqual({ n: 1 });
    expect(call).toBeInstanceOf(ToolCall);
    expect((call as ToolCall).input).toEqual({ n: 1 });
    expect(signal).toBe((call as ToolCall).signal);
    expect(context).toEqual({ tenant: 'acme' });
    expect(tenant).toBe('acme');
    expect(everything).toBe(seen);
  });
});
