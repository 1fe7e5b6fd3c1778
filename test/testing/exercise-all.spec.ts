import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Type } from '@sinclair/typebox';
import { IsEmail, IsIn, IsInt, Min } from 'class-validator';
import { AgentService, Tool, ToolInput, type ChatRequest } from 'nestjs-agent-tools';
import { exerciseAll } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp } from '../support/app.js';

class RefundDto {
  @IsInt()
  @Min(3)
  amount!: number;

  @IsEmail()
  email!: string;

  @IsIn(['wrong', 'broken'])
  reason!: string;
}

@Injectable()
class Nobody implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

const ran: [name: string, input: unknown][] = [];

const Filter = z.object({
  orderNo: z.string().regex(/^[A-Z]{2}-\d{4}$/),
  since: z.iso.datetime(),
  customer: z.union([z.email(), z.uuid()]),
  get or() {
    return z.array(Filter).optional();
  },
});

class Tools {
  @Tool({ description: 'zod', inputSchema: Filter })
  zod(@ToolInput() input: unknown) {
    ran.push(['zod', input]);
    return { found: 1 };
  }

  @Tool('DTO')
  dto(@ToolInput() input: RefundDto) {
    ran.push(['dto', Object.fromEntries(Object.entries(input))]);
  }

  @Tool({
    description: 'TypeBox',
    inputSchema: Type.Object({
      count: Type.Integer({ exclusiveMinimum: 10, multipleOf: 4 }),
      tags: Type.Array(Type.String({ minLength: 2 }), { minItems: 2, uniqueItems: true }),
    }),
  })
  typeBox(@ToolInput() input: unknown) {
    ran.push(['typeBox', input]);
  }

  @Tool({
    description: 'raw',
    inputSchema: {
      type: 'object',
      properties: { id: { $ref: '#/$defs/Id' }, note: { type: 'string', maxLength: 2 } },
      required: ['id'],
      $defs: { Id: { type: 'string', format: 'uuid' } },
    },
  })
  raw(@ToolInput() input: unknown) {
    ran.push(['raw', input]);
  }

  @Tool('Nothing to give.')
  none() {
    ran.push(['none', undefined]);
  }

  @Tool('Throws.')
  broken() {
    ran.push(['broken', undefined]);
    throw new Error('It is broken.');
  }

  @UseGuards(Nobody)
  @Tool('Nobody may.')
  guarded() {
    ran.push(['guarded', undefined]);
  }
}

const NAMES = ['zod', 'dto', 'typeBox', 'raw', 'none', 'broken'];

let app: TestingModule | undefined;

afterEach(async () => {
  ran.length = 0;
  await app?.close();
});

async function exercise(options: Parameters<typeof exerciseAll>[0]) {
  const model = exerciseAll(options);
  app = await createApp({ providers: [Tools] }, { model });
  const agent = app.get(AgentService);
  const result = await agent.run('Try everything.');
  return { model, result, agent };
}

describe('exerciseAll()', () => {
  it.each([{}, { oneByOne: true }, { optional: true }])(
    'runs each tool of an application once, through its pipeline: %j',
    async (options) => {
      const { result } = await exercise(options);
      expect(result.status).toBe('completed');
      expect(ran.map(([name]) => name).toSorted()).toEqual(NAMES.toSorted());
      expect(result.text).toContain('Tools called: 7.');
      expect(result.text).toContain('guarded: denied: ');
      expect(result.text).toContain('broken: error: ');
      expect(result.text).toContain('zod: success: {"found":1}');
    },
  );

  it('sends all calls in one turn, or one per turn', async () => {
    const atOnce = await exercise({});
    expect(atOnce.model.requests).toHaveLength(2);
    await app?.close();
    const oneByOne = await exercise({ oneByOne: true });
    expect(oneByOne.model.requests).toHaveLength(8);
  });

  it('fills in optional properties if it is told to', async () => {
    await exercise({ optional: true });
    expect(new Map(ran).get('raw')).toMatchObject({ note: 'a' });
  });

  it('takes arguments that are given, for its own names only', async () => {
    const dto = { amount: 7, email: 'a@b.example', reason: 'broken' };
    await exercise({ arguments: { dto } });
    expect(new Map(ran).get('dto')).toEqual(dto);
    const tools = ['toString', '__proto__', 'constructor'].map((name) => ({
      name,
      description: '',
      inputSchema: { type: 'object', properties: {} } as const,
    }));
    const { content } = await exerciseAll({ arguments: {} }).generate({ messages: [], tools });
    expect(content).toEqual(
      tools.map(({ name }) => expect.objectContaining({ name, arguments: '{}' })),
    );
  });

  it('calls a tool again in another conversation, and not in the same one', async () => {
    const { model, agent } = await exercise({});
    const { messages } = await agent.run('Again.');
    expect(ran).toHaveLength(NAMES.length * 2);
    const asked = model.requests.length;
    await agent.run([...messages, { role: 'user', content: 'And again.' }]);
    expect(ran).toHaveLength(NAMES.length * 2);
    expect(model.requests).toHaveLength(asked + 1);
  });

  it('heeds the tool choice and parallelToolCalls', async () => {
    const tools = ['a', 'b'].map((name) => ({
      name,
      description: '',
      inputSchema: { type: 'object', properties: {} } as const,
    }));
    const callsOf = async (request: Partial<ChatRequest>): Promise<string[]> => {
      const { content } = await exerciseAll().generate({ messages: [], tools, ...request });
      return content.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []));
    };
    expect(await callsOf({})).toEqual(['a', 'b']);
    expect(await callsOf({ toolChoice: 'none' })).toEqual([]);
    expect(await callsOf({ toolChoice: { tool: 'b' } })).toEqual(['b']);
    expect(await callsOf({ settings: { parallelToolCalls: false } })).toEqual(['a']);
    expect(await callsOf({ tools: undefined })).toEqual([]);
  });
});
