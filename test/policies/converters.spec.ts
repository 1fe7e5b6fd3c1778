import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Scope, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool, ToolResult, type ToolCall, type ToolResultConverter } from 'nestjs-agent-tools';
import { z } from 'zod';
import { moduleOf } from '../support/app.js';
import { start, startError } from './support/start.js';
import { counting, failing, toolOf } from './support/tool-of.js';

@Injectable()
class Money {
  format(cents: number) {
    return `${cents / 100} euros`;
  }
}

@Injectable()
class MoneyConverter implements ToolResultConverter<number> {
  constructor(private readonly money: Money) {}

  convert(cents: number) {
    return this.money.format(cents);
  }
}

const priceTool = (resultConverter: Type<ToolResultConverter>, price: unknown = 250) =>
  toolOf({ resultConverter }, () => price);

function converter(convert: ToolResultConverter['convert']): Type<ToolResultConverter> {
  @Injectable()
  class MadeConverter implements ToolResultConverter {
    convert(value: unknown, call: ToolCall) {
      return convert(value, call);
    }
  }
  return MadeConverter;
}

async function convert(made: Type<ToolResultConverter>, value?: unknown) {
  const { call } = await start({ providers: [toolOf({ resultConverter: made }, () => value)] });
  return call('work');
}

describe('a converter of results', () => {
  it('is a provider with what it depends on; the application gets the value itself', async () => {
    const { call } = await start({ providers: [priceTool(MoneyConverter), MoneyConverter, Money] });
    expect(await call('work')).toMatchObject({ content: '2.5 euros', value: 250 });
  });

  it('is a provider of another module', async () => {
    const { call } = await start({
      providers: [priceTool(MoneyConverter)],
      imports: [moduleOf({ providers: [MoneyConverter, Money] })],
    });
    expect((await call('work')).content).toBe('2.5 euros');
  });

  it('is created once if nobody provides it', async () => {
    let created = 0;
    @Injectable()
    class CountedConverter implements ToolResultConverter {
      constructor() {
        created++;
      }
      convert() {
        return `converter ${created}`;
      }
    }
    const { call } = await start({ providers: [priceTool(CountedConverter)] });
    expect((await call('work')).content).toBe('converter 1');
    expect((await call('work')).content).toBe('converter 1');
  });

  it('is created in the module of the tool if nobody provides it', async () => {
    const { call } = await start({ providers: [priceTool(MoneyConverter), Money] });
    expect((await call('work')).content).toBe('2.5 euros');
  });

  it('is that of the module of the tool, if two provide one', async () => {
    const moduleWith = (name: string, text: string) => {
      const money = { provide: Money, useValue: { format: () => text } };
      const provider = toolOf({ name, resultConverter: MoneyConverter }, () => 1);
      return moduleOf({ providers: [provider, MoneyConverter, money] });
    };
    const { call } = await start({
      imports: [moduleWith('here', 'pounds'), moduleWith('there', 'francs')],
    });
    expect((await call('here')).content).toBe('pounds');
    expect((await call('there')).content).toBe('francs');
  });

  it('stops the boot if it cannot be made', async () => {
    const message = await startError({ providers: [priceTool(MoneyConverter)] });
    expect(message).toContain('MoneyConverter');
    expect(message).toContain('WorkTools.work');
  });

  it.each(['module', 'agent'] as const)(
    'stops the boot if it cannot be made, in `toolDefaults` of the %s',
    async (layer) => {
      const toolDefaults = { resultConverter: MoneyConverter };
      const message = await startError({
        providers: [toolOf({}, () => 1)],
        module: layer === 'module' ? { toolDefaults } : {},
        agent: layer === 'agent' ? { toolDefaults } : {},
      });
      expect(message).toContain('MoneyConverter');
    },
  );

  it('that cannot be made for a run is an error of its calls', async () => {
    const { step } = await start({ providers: [toolOf({}, () => 'secret')] });
    const [{ status, content }] = await step(
      { tool: 'work' },
      { toolOverrides: { resultConverter: MoneyConverter } },
    );
    expect(status).toBe('error');
    expect(content).not.toContain('secret');
  });

  it('may be request-scoped: one for each run, which sees its request', async () => {
    let created = 0;
    @Injectable({ scope: Scope.REQUEST })
    class UserConverter implements ToolResultConverter {
      private readonly number = ++created;
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
      convert() {
        return `${this.request.user} ${this.number}`;
      }
    }
    const { step, call } = await start({ providers: [priceTool(UserConverter), UserConverter] });
    const twice = [{ tool: 'work' }, { tool: 'work' }];
    const ada = await step(twice, { request: { user: 'ada' } });
    const sam = await step(twice, { request: { user: 'sam' } });
    expect([...ada, ...sam].map(({ content }) => content)).toEqual([
      'ada 1',
      'ada 1',
      'sam 2',
      'sam 2',
    ]);
    const { content } = await call('work', {}, { request: { user: 'eve' } });
    expect(content).toBe('eve 3');
  });

  it('may be created for each run though nobody provides it', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class UserConverter implements ToolResultConverter {
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
      convert() {
        return this.request.user;
      }
    }
    const { call } = await start({ providers: [priceTool(UserConverter)] });
    expect((await call('work', {}, { request: { user: 'ada' } })).content).toBe('ada');
    expect((await call('work', {}, { request: { user: 'sam' } })).content).toBe('sam');
  });

  it('may be replaced by a module’s own class', async () => {
    @Module({ providers: [{ provide: MoneyConverter, useValue: { convert: () => 'much' } }] })
    class OtherModule {}
    const { call } = await start({
      providers: [priceTool(MoneyConverter)],
      imports: [OtherModule],
    });
    expect((await call('work')).content).toBe('much');
  });

  it('gets the call, and may answer later', async () => {
    const made = converter(async (value, { name, input }) => {
      await Promise.resolve();
      return `${String(value)} of ${name} ${JSON.stringify(input)}`;
    });
    const provider = toolOf({ resultConverter: made }, ({ n }) => n);
    const { call } = await start({ providers: [provider] });
    expect((await call('work', { n: '7' })).content).toBe('7 of work {"n":7}');
  });

  it.each<[string, Awaited<ReturnType<ToolResultConverter['convert']>>, unknown]>([
    ['a text', 'told', 'told'],
    ['an empty text', '', '(no output)'],
    ['parts', [{ type: 'text', text: 'told' }], [{ type: 'text', text: 'told' }]],
    ['a ToolResult', new ToolResult('told', { value: 'another' }), 'told'],
  ])('may give %s', async (_what, given, content) => {
    expect(
      await convert(
        converter(() => given),
        5,
      ),
    ).toMatchObject({ content, value: 5 });
  });

  it.each([
    ['throws', failing(new Error('secret')) as () => string],
    ['rejects', () => Promise.reject(new Error('secret'))],
  ])('that %s is an error result without details', async (_how, give) => {
    const result = await convert(converter(give), 'private');
    expect(result).toMatchObject({ status: 'error', error: new Error('secret') });
    expect(result.content).not.toMatch(/secret|private/);
    expect(result.value).toBeUndefined();
  });

  it('that never answers is given up when the call times out', async () => {
    const made = converter(() => new Promise<string>(() => undefined));
    const provider = toolOf({ resultConverter: made, timeout: 20 }, () => 1);
    const { call } = await start({ providers: [provider] });
    expect((await call('work')).content).toBe('"work" timed out after 20 ms.');
  });

  it('is not asked about errors', async () => {
    const asked = counting(() => 'told');
    const made = converter(() => asked({}, undefined as never) as string);
    const provider = toolOf({ resultConverter: made }, failing(new Error('no')));
    const { call } = await start({ providers: [provider] });
    expect((await call('work')).status).toBe('error');
    expect(asked.count).toBe(0);
  });

  it('gets what the `outputSchema` yields', async () => {
    const seen: unknown[] = [];
    const made = converter((value) => {
      seen.push(value);
      return 'told';
    });
    @Injectable()
    class PriceTools {
      @Tool({
        description: 'A price.',
        outputSchema: z.object({ price: z.coerce.number() }),
        resultConverter: made,
      })
      price(): { price: unknown; internal: boolean } {
        return { price: '12', internal: true };
      }

      @Tool({
        description: 'No price.',
        outputSchema: z.object({ price: z.number() }),
        resultConverter: made,
      })
      broken(): { price: number } {
        return {} as { price: number };
      }
    }
    const { call } = await start({ providers: [PriceTools] });
    expect(await call('price')).toMatchObject({ content: 'told', value: { price: 12 } });
    expect(seen).toEqual([{ price: 12 }]);
    expect((await call('broken')).status).toBe('error');
    expect(seen).toHaveLength(1);
  });
});
