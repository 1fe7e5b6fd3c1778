import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Logger, UseGuards, type CanActivate } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { AgentService, Tool, ToolExecutionContext, ToolInput, ToolParam } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { only, readAll } from '../loop/support/events.js';
import { createApp } from '../support/app.js';

const seen: unknown[] = [];
const runs: unknown[] = [];

class Watching implements CanActivate {
  canActivate(context: Parameters<CanActivate['canActivate']>[0]) {
    seen.push(ToolExecutionContext.create(context).getCall().input);
    return true;
  }
}

class Denying implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException();
  }
}

const ORDER = z.object({
  orderNo: z.string(),
  count: z.number().int().optional(),
  gift: z.boolean().optional(),
  address: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
  apiKey: z.string().min(40).optional(),
  mode: z.enum(['fast', 'slow']).optional(),
});

class Shop {
  @Tool({ description: 'Orders.', inputSchema: ORDER })
  @UseGuards(Watching)
  order(@ToolInput() input: z.output<typeof ORDER>) {
    runs.push(input);
    return 'ordered';
  }

  @Tool({ description: 'Orders.', inputSchema: ORDER })
  @UseGuards(Denying)
  denied(@ToolInput() input: z.output<typeof ORDER>) {
    runs.push(input);
  }

  @Tool({
    description: 'Signs.',
    inputSchema: {
      type: 'object',
      properties: {
        userName: { type: 'string' },
        phrase: { type: 'string', format: 'password', minLength: 40 },
        account: {
          type: 'object',
          properties: { iban: { type: 'string', writeOnly: true, maxLength: 3 } },
          required: ['owner'],
        },
      },
      required: ['userName'],
      additionalProperties: false,
    },
  })
  sign(@ToolInput() input: unknown) {
    runs.push(input);
  }

  @Tool({
    description: 'Repeats.',
    inputSchema: z.object({
      secret: z
        .string()
        .refine(() => false, { error: ({ input }) => `no ${String(input)} please` }),
    }),
  })
  repeat(@ToolInput() input: { secret: string }) {
    runs.push(input);
  }

  @Tool({
    description: 'Put together.',
    inputSchema: {
      type: 'object',
      properties: {
        login: {
          type: 'object',
          properties: { user: { type: 'string' } },
          allOf: [{ properties: { code: { type: 'string', format: 'password', maxLength: 3 } } }],
        },
      },
    },
  })
  login(@ToolInput() input: unknown) {
    runs.push(input);
  }

  @Tool('Quotes.')
  quote(
    @ToolParam('country') country: string,
    @ToolParam('kilos', { required: false }) kilos?: number,
  ) {
    runs.push([country, kilos]);
    return 'quoted';
  }
}

let app: TestingModule;
beforeEach(() => {
  seen.length = 0;
  runs.length = 0;
});
afterEach(async () => {
  await app?.close();
});

async function call(tool: string, args: unknown) {
  app = await createApp({ providers: [Shop] });
  return callTool(app, tool, args);
}

describe('before the guards', () => {
  it('arguments are repaired and read as the schema wants them', async () => {
    await call(
      'order',
      "```json\n{'arguments': {'orderNo': 'A1', 'count': '2', 'gift': 'True', 'mode': 'FAST'}}\n```",
    );
    const input = { orderNo: 'A1', count: 2, gift: true, mode: 'fast' };
    expect(seen).toEqual([input]);
    expect(runs).toEqual([input]);
  });

  it('nothing is validated: a denied caller learns nothing', async () => {
    const { status, content } = await call('denied', { count: 'many', other: 1 });
    expect(status).toBe('denied');
    expect(content).not.toMatch(/count|orderNo|other/);
    expect(runs).toEqual([]);
  });

  it('null for what may be left out is taken away, and no guard asked for unusable text', async () => {
    await call('quote', '{"country": "DE", "kilos": null}');
    expect(runs).toEqual([['DE', undefined]]);
    await app.close();
    expect((await call('order', '{"orderNo": "A')).status).toBe('error');
    expect(seen).toEqual([]);
  });
});

describe('what the model is told', () => {
  it('are all problems at once, each with path, expectation and what came', async () => {
    const { status, content } = await call('order', {
      count: 1.5,
      gift: 'maybe',
      address: { city: 5 },
      mode: 'medium',
    });
    expect(status).toBe('error');
    expect(content).toMatch(/- orderNo: .*expected string/);
    expect(content).toMatch(/- count: .*expected int.* \(got 1\.5\)/);
    expect(content).toMatch(/- gift: .*expected boolean.* \(got "maybe"\)/);
    expect(content).toMatch(/- address\.city: .*expected string.* \(got 5\)/);
    expect(content).toMatch(/- mode: .*"fast"\|"slow".* \(got "medium"\)/);
    expect(content).toContain('Correct the arguments and call the tool again.');
    expect(runs).toEqual([]);
  });

  it('is the nearest known name of an argument that does not exist', async () => {
    const { content } = await call('order', { order_no: 'A1', adress: { city: 'Bern' }, xyz: 1 });
    expect(content).toContain(
      '- order_no: is not an argument of this tool, did you mean "orderNo"?',
    );
    expect(content).toContain('- adress: is not an argument of this tool, did you mean "address"?');
    expect(content).toContain(
      '- xyz: is not an argument of this tool, known are address, apiKey, count',
    );
  });

  it('is never a secret of a part of a schema, or under a name near to it', async () => {
    const { content } = await call('login', { login: { user: 5, code: 'hunter2' } });
    expect(content).toContain('- login.user: must be string (got 5)');
    expect(content).toContain('- login.code: must NOT have more than 3 characters\n');
    await app.close();
    const { content: misspelt } = await call('login', { login: [{ cod: 'hunter2' }] });
    expect(misspelt).toContain('- login: must be object (got "***")');
  });

  it('is never a secret that the schema itself repeats', async () => {
    const { content } = await call('repeat', { secret: 'hunter2' });
    expect(content).toContain('- secret: is not valid\n');
  });

  it('is never a secret, by name or by what the schema says', async () => {
    const { content: byName } = await call('order', { orderNo: 'A1', apiKey: 'hunter2' });
    expect(byName).toMatch(/- apiKey: Too small: expected string to have >=40 characters/);
    expect(byName).not.toContain('hunter2');
    await app.close();
    const { content: byFormat } = await call('sign', {
      userName: 'Ann',
      phrase: 'hunter2',
      account: { iban: 'DE123' },
    });
    expect(byFormat).toMatch(/- phrase: must NOT have fewer than 40 characters\n/);
    expect(byFormat).toMatch(/- account\.iban: must NOT have more than 3 characters\n/);
    expect(byFormat).toContain('- account.owner: is required');
    expect(byFormat).not.toMatch(/hunter2|DE123/);
    await app.close();
    const { content: inObject } = await call('sign', {
      userName: { phrase: 'x', password: 'hunter2' },
    });
    expect(inObject).toContain('(got {"phrase":"x","password":"***"})');
  });
});

describe('what was repaired', () => {
  const broken =
    "{'orderNo': 'A1', 'count': '2', 'apiKey': 'sk-1234567890abcdef1234567890abcdef1234567890'}";

  it('is part of the event, without values', async () => {
    const model = scripted([
      { calls: [{ tool: 'order', arguments: broken }] },
      { calls: [{ tool: 'order', arguments: '{"orderNo":"A1"}' }] },
      'Done.',
    ]);
    app = await createApp({ providers: [Shop] }, { model });
    const { events } = await readAll(app.get(AgentService).stream('Go.'));
    const calls = only(events, 'tool-call');
    expect(calls[0].repairs).toEqual([
      'replaced the quotes by double quotes',
      'count: read as an integer',
    ]);
    expect(calls[1].repairs).toBeUndefined();
    expect(JSON.stringify(calls[0].repairs)).not.toContain('sk-');
  });

  it('goes back to the model in the form in which it was read', async () => {
    const model = scripted([{ calls: [{ tool: 'order', arguments: broken }] }, 'Done.']);
    app = await createApp({ providers: [Shop] }, { model });
    await app.get(AgentService).run('Go.');
    const [, assistant] = model.requests[1].messages;
    const [part] = assistant.content as unknown as { arguments: string }[];
    expect(JSON.parse(part.arguments)).toMatchObject({ orderNo: 'A1', count: 2 });
  });

  it('is logged at debug level', async () => {
    const debug = jest.spyOn(Logger.prototype, 'debug').mockReturnValue(undefined);
    const levels = ['debug' as const];
    try {
      app = await createApp({ providers: [Shop] });
      Logger.overrideLogger(levels);
      await callTool(app, 'order', broken);
      expect(debug.mock.calls.map(([message]) => message)).toContain(
        'Repaired the arguments of "order": replaced the quotes by double quotes; count: read as an integer',
      );
    } finally {
      debug.mockRestore();
      Logger.overrideLogger(false);
    }
  });

  it('is nothing when the model was cut off', async () => {
    const model = scripted([
      { calls: [{ tool: 'order', arguments: '{"orderNo":"A1"' }], finishReason: 'length' },
      'Done.',
    ]);
    app = await createApp({ providers: [Shop] }, { model });
    const { events } = await readAll(app.get(AgentService).stream('Go.'));
    const [event] = only(events, 'tool-call');
    expect(event).toMatchObject({ arguments: '{"INVALID_JSON":"{\\"orderNo\\":\\"A1\\""}' });
    expect(event.repairs).toBeUndefined();
    expect(runs).toEqual([]);
  });
});
