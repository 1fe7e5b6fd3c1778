import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolInput, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { createApp } from '../support/app.js';

class PriceDto extends createZodDto(
  z.object({
    country: z.string().length(2),
    kilos: z.number().positive().default(1),
    at: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  }),
) {
  label() {
    return `${this.kilos} kg to ${this.country}`;
  }
}

class CheckedDto extends createZodDto(
  z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') }),
) {}

/** As of another copy of the package: only the convention is the same. */
class ForeignDto {
  static readonly schema = {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value: { n: unknown }) =>
        typeof value.n === 'number'
          ? { value: { n: value.n * 2 } }
          : { issues: [{ path: ['n'], message: 'must be a number' }] },
      jsonSchema: {
        input: () => ({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
        output: () => ({ type: 'object', properties: { n: { type: 'number' } } }),
      },
    },
  };
  n!: number;
}

const received: unknown[] = [];

class Prices {
  @Tool('The type of the parameter.')
  typed(@ToolInput() input: PriceDto) {
    received.push(input);
    return input.label();
  }

  @Tool('The only parameter.')
  undecorated(input: PriceDto) {
    return input.label();
  }

  @Tool({ description: 'As a schema.', inputSchema: PriceDto })
  given(@ToolInput() input: PriceDto) {
    return input.label();
  }

  @Tool('One field.')
  field(
    @ToolParam('price') price: PriceDto,
    @ToolParam('more', { type: [PriceDto] }) more: PriceDto[],
  ) {
    return [price, ...more].map((one) => one.label());
  }

  @Tool('Asynchronous.')
  checked(@ToolInput() input: CheckedDto) {
    received.push(input);
  }

  @Tool('Another copy.')
  foreign(@ToolInput() input: ForeignDto) {
    received.push(input);
  }
}

let app: TestingModule;
afterEach(async () => {
  received.length = 0;
  await app.close();
});

async function call(name: string, args: unknown) {
  app = await createApp({ providers: [Prices] });
  return callTool(app, name, args);
}

const price = { country: 'CH', at: '2026-01-02T03:04:05Z' };

describe('a class made by createZodDto()', () => {
  it('is described by its schema', async () => {
    app = await createApp({ providers: [Prices] });
    const registry = app.get(ToolRegistry);
    for (const name of ['typed', 'undecorated', 'given']) {
      expect(registry.get(name)?.inputSchema).toMatchObject({
        source: 'zod',
        jsonSchema: {
          type: 'object',
          properties: {
            country: { type: 'string', minLength: 2, maxLength: 2 },
            kilos: { type: 'number', exclusiveMinimum: 0, default: 1 },
            at: { type: 'string', format: 'date-time' },
          },
          required: ['country', 'at'],
        },
      });
    }
  });

  it.each(['typed', 'undecorated', 'given'])('arrives as an instance (%s)', async (name) => {
    expect(await call(name, price)).toMatchObject({ status: 'success', value: '1 kg to CH' });
  });

  it('holds what the schema yields, codecs included', async () => {
    await call('typed', price);
    expect(received[0]).toBeInstanceOf(PriceDto);
    expect(received[0]).toEqual({ country: 'CH', kilos: 1, at: new Date(price.at) });
  });

  it('is validated by its schema', async () => {
    const { status, content } = await call('typed', { country: 'CHE', kilos: 0, extra: 1 });
    expect(status).toBe('error');
    expect(content).toMatch(/- country: .*\n- kilos: .*\n- at: .*\n- extra: is not an argument/);
  });

  it('may validate asynchronously', async () => {
    const { content } = await call('checked', { name: 'taken' });
    expect(content).toContain('- name: is taken');
    await app.close();
    expect((await call('checked', { name: 'free' })).status).toBe('success');
    expect(received[0]).toBeInstanceOf(CheckedDto);
  });

  it('may be one field, or its items', async () => {
    const { value } = await call('field', { price, more: [{ ...price, kilos: 3 }] });
    expect(value).toEqual(['1 kg to CH', '3 kg to CH']);
    await app.close();
    const { content } = await call('field', { price, more: [price, { country: 'X' }] });
    expect(content).toMatch(/- more\.1\.country: .*\n- more\.1\.at: /);
  });

  it('is recognised by its static schema, whatever made it', async () => {
    expect((await call('foreign', { n: 2 })).status).toBe('success');
    expect(received[0]).toEqual({ n: 4 });
    expect(received[0]).toBeInstanceOf(ForeignDto);
    await app.close();
    expect((await call('foreign', { n: 'x' })).content).toContain('- n: must be a number');
  });
});
