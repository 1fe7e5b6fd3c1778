import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { AgentService, Tool, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { only, readAll } from '../loop/support/events.js';
import { bootError, createApp } from '../support/app.js';

const LONG = `shop.${'x'.repeat(80)}`;

class Shop {
  @Tool({ name: 'shop.find order', description: 'Finds an order.' })
  find(@ToolParam('id') id: string) {
    return `order ${id}`;
  }

  @Tool({ name: LONG, description: 'Anything.' })
  long() {
    return 'long';
  }

  @Tool({ name: `${LONG}y`, description: 'Anything.' })
  longer() {
    return 'longer';
  }

  @Tool({ name: '2nd', description: 'Anything.' })
  second() {
    return 'second';
  }

  @Tool('Anything.')
  plain() {
    return 'plain';
  }
}

let app: TestingModule;
afterEach(async () => {
  await app?.close();
});

describe('a name that providers refuse', () => {
  it('is told to the model in a legal form, and mapped back', async () => {
    const model = scripted([
      { calls: [{ tool: 'shop_find_order', arguments: { id: '7' } }] },
      'Done.',
    ]);
    app = await createApp({ providers: [Shop] }, { model });
    const { events } = await readAll(app.get(AgentService).stream('Go.'));
    const [request] = model.requests;
    for (const { name } of request.tools ?? []) expect(name).toMatch(/^[a-zA-Z_][\w-]{0,63}$/);
    expect(new Set(request.tools?.map(({ name }) => name)).size).toBe(5);
    expect(only(events, 'tool-call')).toMatchObject([{ name: 'shop.find order' }]);
    expect(only(events, 'tool-result')).toMatchObject([
      { name: 'shop.find order', status: 'success', content: 'order 7' },
    ]);
    // The model finds in its history the name that it used.
    expect(JSON.stringify(model.requests[1].messages)).not.toContain('shop.find order');
  });

  it('may be used by a model all the same', async () => {
    const model = scripted([
      { calls: [{ tool: 'shop.find order', arguments: { id: '7' } }] },
      'Done.',
    ]);
    app = await createApp({ providers: [Shop] }, { model });
    const { steps } = await app.get(AgentService).run('Go.');
    expect(steps[0].toolResults).toMatchObject([{ status: 'success', content: 'order 7' }]);
    expect(JSON.stringify(model.requests[1].messages)).toContain('"shop_find_order"');
  });

  it('names the tool everywhere else', async () => {
    const model = scripted(['Done.']);
    app = await createApp({ providers: [Shop] }, { model });
    expect((await callTool(app, 'shop.find order', { id: '1' })).content).toBe('order 1');
    expect((await callTool(app, 'shop_find_order', { id: '1' })).name).toBe('shop.find order');
    const registry = app.get(ToolRegistry);
    expect(registry.get('shop.find order')).toMatchObject({ chatName: 'shop_find_order' });
    expect(registry.toMcp().map(({ name }) => name)).toContain('shop.find order');
    expect(registry.toOpenAI().map((tool) => tool.function.name)).toContain('shop_find_order');
    expect(registry.toAnthropic().map(({ name }) => name)).toContain('_2nd');
    await app.get(AgentService).run('Go.', {
      tools: ['shop.find order'],
      toolChoice: { tool: 'shop.find order' },
    });
    expect(model.requests[0]).toMatchObject({
      tools: [{ name: 'shop_find_order' }],
      toolChoice: { tool: 'shop_find_order' },
    });
  });

  it('is listed in its legal form when a model invents a tool', async () => {
    const model = scripted([{ calls: [{ tool: 'nothing' }] }, 'Done.']);
    app = await createApp({ providers: [Shop] }, { model });
    const { steps } = await app.get(AgentService).run('Go.');
    expect(steps[0].toolResults[0].content).toMatch(/The tools are: .*plain, shop_find_order/);
    expect(steps[0].toolResults[0].content).not.toContain('shop.find order');
  });

  it('is a boot error if two become the same', async () => {
    class Clash {
      @Tool({ name: 'a.b', description: 'Anything.' })
      dotted() {}

      @Tool({ name: 'a_b', description: 'Anything.' })
      plain() {}
    }
    expect(await bootError({ providers: [Clash] })).toContain(
      'Clash.plain: Models would know the tools "a_b" and "a.b" (Clash.dotted) both as "a_b"',
    );
  });

  it('is free again when its tool is gone', async () => {
    app = await createApp({ providers: [Shop] });
    const registry = app.get(ToolRegistry);
    const tool = { name: 'shop_find_order', description: 'Other.', execute: () => 1 };
    await expect(registry.register(tool)).rejects.toThrow('both as "shop_find_order"');
    registry.unregister('shop.find order');
    await registry.register(tool);
    expect(registry.get('shop_find_order')).toBeDefined();
  });
});
