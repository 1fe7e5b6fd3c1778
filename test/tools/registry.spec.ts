import { afterEach, describe, expect, it } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  Tool,
  ToolParam,
  ToolRegistry,
  type AgentTool,
  type ToolCall,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp } from '../support/app.js';

class OrderTools {
  @Tool({ description: ['Finds an order.', 'Use it first.'], effect: 'read' })
  findOrder(@ToolParam('orderNo', { description: 'like A-1' }) orderNo: string) {
    return orderNo;
  }

  @Tool({
    name: 'cancel_order',
    description: 'Cancels.',
    effect: 'destructive',
    strict: true,
    metadata: { team: 'x' },
  })
  cancel() {}
}

let app: TestingModule;
afterEach(() => app.close());

describe('ToolRegistry', () => {
  it('lists tools by name, whatever the order of their declaration', async () => {
    app = await createApp({ providers: [OrderTools] });
    const registry = app.get(ToolRegistry);
    expect(registry.list().map(({ name }) => name)).toEqual(['cancel_order', 'findOrder']);
    expect(registry.get('cancel_order')).toMatchObject({
      effect: 'destructive',
      idempotent: false,
      policy: {},
      strict: true,
      metadata: { team: 'x' },
      host: { className: 'OrderTools', methodName: 'cancel' },
    });
    expect(registry.get('constructor')).toBeUndefined();
  });

  it('exports the lists of OpenAI, Anthropic and MCP', async () => {
    app = await createApp({ providers: [OrderTools] });
    const registry = app.get(ToolRegistry);
    const findOrder = {
      type: 'object',
      properties: { orderNo: { type: 'string', description: 'like A-1' } },
      required: ['orderNo'],
      additionalProperties: false,
    };
    const none = { type: 'object', properties: {}, additionalProperties: false };
    const description = 'Finds an order.\nUse it first.';
    expect(registry.toOpenAI()).toEqual([
      {
        type: 'function',
        function: {
          name: 'cancel_order',
          description: 'Cancels.',
          // In strict mode, every property is required.
          parameters: { ...none, required: [] },
          strict: true,
        },
      },
      { type: 'function', function: { name: 'findOrder', description, parameters: findOrder } },
    ]);
    expect(registry.toAnthropic()).toEqual([
      { name: 'cancel_order', description: 'Cancels.', input_schema: none },
      { name: 'findOrder', description, input_schema: findOrder },
    ]);
    expect(registry.toMcp()).toEqual([
      {
        name: 'cancel_order',
        description: 'Cancels.',
        inputSchema: none,
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      },
      {
        name: 'findOrder',
        description,
        inputSchema: findOrder,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      },
    ]);
  });

  it('takes and gives up tools at run time', async () => {
    app = await createApp({ providers: [OrderTools] });
    const registry = app.get(ToolRegistry);
    const calls: ToolCall[] = [];
    await registry.register({
      name: 'shout',
      description: 'Shouts.',
      inputSchema: z.object({ text: z.string() }),
      execute(input, call) {
        calls.push(call);
        return input.text.toUpperCase();
      },
    });
    expect((await callTool(app, 'shout', { text: 'hi' })).content).toBe('HI');
    expect((await callTool(app, 'shout', {})).status).toBe('error');
    expect(calls).toHaveLength(1);
    expect(registry.unregister('shout')).toBe(true);
    expect(registry.unregister('shout')).toBe(false);
    expect((await callTool(app, 'shout', { text: 'hi' })).content).toContain(
      'There is no tool "shout"',
    );
  });

  it('takes a tool that is removed from the runs that go on', async () => {
    app = await createApp({ providers: [OrderTools] });
    const registry = app.get(ToolRegistry);
    let runs = 0;
    await registry.register({ name: 'count', execute: () => ++runs });
    await registry.register({ name: 'remove', execute: () => registry.unregister('count') });
    const model = scripted([{ tool: 'count' }, { tool: 'remove' }, { tool: 'count' }, 'Done.']);
    const { steps } = await app.get(AgentService).run('Count.', { model });
    const [{ status, content }] = steps[2].toolResults;
    expect(status).toBe('error');
    expect(content).toContain(
      'There is no tool "count". The tools are: cancel_order, findOrder, remove.',
    );
    expect(runs).toBe(1);
  });

  it('refuses a name that is taken or illegal', async () => {
    app = await createApp({ providers: [OrderTools] });
    const registry = app.get(ToolRegistry);
    const execute = () => 1;
    await expect(registry.register({ name: 'findOrder', execute })).rejects.toThrow(
      'The name "findOrder" is taken by OrderTools.findOrder. Choose another name',
    );
    await expect(registry.register({ name: 'no\ngood', execute })).rejects.toThrow(
      'is not allowed',
    );
    await registry.register({ name: 'twice', execute });
    await expect(registry.register({ name: 'twice', execute })).rejects.toThrow(
      'Choose another name, or unregister() the other tool first.',
    );
  });

  it('runs global enhancers, and those of the class, for tools made at run time', async () => {
    const asked: string[] = [];
    const guard = (name: string, allowed: boolean): CanActivate => ({
      canActivate(context: ExecutionContext) {
        asked.push(`${name} ${context.getClass().name}.${context.getHandler().name}`);
        return allowed;
      },
    });
    let runs = 0;
    @UseGuards(guard('class', false))
    class Danger implements AgentTool {
      readonly name = 'danger';
      execute() {
        runs++;
      }
    }
    app = await createApp({ providers: [{ provide: APP_GUARD, useValue: guard('global', true) }] });
    await app.get(ToolRegistry).register(new Danger());
    expect((await callTool(app, 'danger', {})).status).toBe('denied');
    expect(asked).toEqual(['global Danger.execute', 'class Danger.execute']);
    expect(runs).toBe(0);
  });

  it('refuses a tool whose guard cannot be created', async () => {
    class Missing {}
    @Injectable()
    class NeedsMissing implements CanActivate {
      constructor(readonly missing: Missing) {}
      canActivate() {
        return true;
      }
    }
    @UseGuards(NeedsMissing)
    class Guarded implements AgentTool {
      readonly name = 'guarded';
      execute() {}
    }
    app = await createApp({ providers: [] });
    const registry = app.get(ToolRegistry);
    await expect(registry.register(new Guarded())).rejects.toThrow(
      '"NeedsMissing" cannot be created',
    );
    expect(registry.list()).toEqual([]);
  });
});
