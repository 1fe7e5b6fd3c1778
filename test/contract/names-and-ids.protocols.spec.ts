import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolExecutor } from 'nestjs-agent-tools';
import { startAgent } from '../loop/support/agent.js';
import { bootError } from '../support/app.js';
import { serving, WIRES, type Wire, type WireCall } from './wire.js';

const LONG = 'a'.repeat(70);

@Injectable()
class Tools {
  runs = 0;

  @Tool('Runs.')
  valid(): string {
    return `run ${++this.runs}`;
  }

  @Tool({ name: 'service.doSomething now/here', description: 'An odd name.' })
  odd(): string {
    return 'odd';
  }

  @Tool({ name: `${LONG}1`, description: 'A long name.' })
  one(): string {
    return 'one';
  }

  @Tool({ name: `${LONG}2`, description: 'Another long name.' })
  two(): string {
    return 'two';
  }
}

/** Plays these calls, one list for each step, and then a text. */
async function run({ factory, chunks }: Wire, ...steps: WireCall[][]) {
  const answers = steps.map((calls) => chunks([], calls));
  const { model, bodies } = serving(factory, ...answers, chunks(['done']));
  const { agent, app } = await startAgent([Tools], { model });
  const result = await agent.stream('Go.').result;
  const results = result.steps.flatMap(({ toolResults }) => toolResults);
  return { result, results, bodies, runs: app.get(Tools).runs };
}

/** All values under a key, wherever they are. */
function valuesOf(key: string, value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && typeof inner === 'string' ? [inner] : valuesOf(key, inner),
  );
}

/** What a body says about calls and their results: the keys of their ids. */
const ID_KEYS: Readonly<Record<string, readonly [string, string]>> = {
  openai: ['id', 'tool_call_id'],
  anthropic: ['id', 'tool_use_id'],
};

describe.each(WIRES)('names and ids of %s', (provider, wire) => {
  it('32: are sent in a form that it takes, each another, and lead back', async () => {
    const first = await run(wire);
    const names = valuesOf('name', (first.bodies[0] as { tools: unknown }).tools);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    const calls = names.map((name, index) => ({ name, id: `c${index}` }));
    const { results } = await run(wire, calls);
    const contents = results.map(({ content }) => String(content));
    expect(contents.toSorted()).toEqual(['odd', 'one', 'run 1', 'two']);
  });

  it.each(['$READFILE', 'search.evidence invalid', '🎉'])(
    '33: that it made up go back as something that it takes: %s',
    async (name) => {
      const { result, bodies } = await run(wire, [{ name, id: 'c1' }]);
      expect(result).toMatchObject({ status: 'completed', text: 'done' });
      const { tools: _, ...body } = bodies[1] as { tools: unknown };
      for (const sent of valuesOf('name', body)) expect(sent).toMatch(/^[a-zA-Z_][\w-]{0,63}$/);
      // Gemini pairs calls and results by their names.
      const names = new Set(valuesOf('name', body));
      expect(provider === 'gemini' ? names.size : 1).toBe(1);
    },
  );

  it('34: of no tool are one call with one result', async () => {
    const { result } = await run(wire, [{ name: 'nope', id: 'c1' }]);
    const parts = result.messages.flatMap<{ type: string }>(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    expect(parts.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text']);
  });

  it('35: of no tool get a result that lists those that there are', async () => {
    const { results } = await run(wire, [{ name: 'nope', id: 'c1' }]);
    expect(results).toMatchObject([{ status: 'error', content: expect.stringContaining('valid') }]);
  });

  it('36: of no tool twice beside others do not end the run', async () => {
    const step = (a: string, b: string) => [
      { name: 'nope', id: a },
      { name: 'valid', id: b },
    ];
    const { result, runs } = await run(wire, step('a', 'b'), step('c', 'd'));
    expect([result.status, result.text, runs]).toEqual(['completed', 'done', 2]);
  });

  it.each([undefined, '', null])('37: that it does not give are made: %j', async (id) => {
    const call = { name: 'valid', id };
    const { results, runs } = await run(wire, [call, call], [call]);
    const ids = results.map(({ callId }) => callId);
    expect([new Set(ids.filter(Boolean)).size, runs]).toEqual([3, 3]);
  });

  it('37: that it repeats in a later step are no sign that a call was answered', async () => {
    const call = { name: 'valid', id: 'call_0' };
    const { runs, results } = await run(wire, [call], [call], [call]);
    expect([runs, results.map(({ content }) => content)]).toEqual([3, ['run 1', 'run 2', 'run 3']]);
  });

  it('39: that it gives twice in one message are told apart, and go back in pairs', async () => {
    const call = { name: 'valid', id: 'c1' };
    const { results, runs, bodies, result } = await run(wire, [call, call]);
    expect([runs, results[0].callId, result.text]).toEqual([2, 'c1', 'done']);
    expect(new Set(results.map(({ callId }) => callId)).size).toBe(2);
    const body = bodies[1] as { messages?: unknown; input?: unknown };
    const ids = valuesOf('call_id', body.input);
    expect([ids.length, new Set(ids).size]).toEqual(
      provider === 'openaiResponses' ? [4, 2] : [0, 0],
    );
    const keys = ID_KEYS[provider];
    if (!keys) return;
    const [calls, answers] = keys.map((key) => valuesOf(key, body.messages));
    expect(answers).toEqual(calls);
    expect(new Set(calls).size).toBe(2);
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf', 'prototype'])(
    '41: are no keys of objects: %s',
    async (name) => {
      const { result, results } = await run(wire, [
        { name, id: 'c1', json: ['{"x":1}'] },
        { name: 'valid', id: name },
      ]);
      expect(results).toMatchObject([
        { status: 'error', content: expect.stringContaining('valid') },
        { status: 'success', content: 'run 1' },
      ]);
      expect(result.text).toBe('done');
      expect(({} as { x?: unknown }).x).toBeUndefined();
    },
  );
});

describe('names of tools', () => {
  it('32: that would be sent as the same name stop the boot', async () => {
    class Clash {
      @Tool({ name: 'shop.find', description: 'One.' })
      one() {}
      @Tool({ name: 'shop_find', description: 'Two.' })
      two() {}
    }
    const message = await bootError({ providers: [Clash] });
    expect(message).toContain('shop.find');
    expect(message).toContain('shop_find');
  });

  it('40: that two classes share stop the boot, and both are named', async () => {
    class Orders {
      @Tool({ name: 'search', description: 'One.' })
      findOrder() {}
    }
    class Customers {
      @Tool({ name: 'search', description: 'Two.' })
      findCustomer() {}
    }
    const message = await bootError({ providers: [Orders, Customers] });
    for (const part of ['search', 'Orders.findOrder', 'Customers.findCustomer']) {
      expect(message).toContain(part);
    }
  });

  it.each(['constructor', '__proto__', 'toString'])(
    '41: are not looked up on objects: %s',
    async (name) => {
      const { app } = await startAgent([Tools]);
      const result = await app
        .get(ToolExecutor)
        .execute(name, {})
        .catch((error: unknown) => error);
      expect(String((result as { content?: string }).content ?? result)).toContain(name);
      expect(result).not.toMatchObject({ status: 'success' });
    },
  );
});
