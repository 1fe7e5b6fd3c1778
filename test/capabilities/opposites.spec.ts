/** Where systems of tools go wrong silently, and what happens here instead: how tools are declared. */
import { describe, expect, it } from '@jest/globals';
import { Injectable, type CanActivate } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsEnum, IsNumber, IsUUID, ValidateNested } from 'class-validator';
import {
  AgentToolsModule,
  Tool,
  tool,
  ToolDeclarationException,
  ToolParam,
  type AgentTool,
  type ToolOptions,
} from 'nestjs-agent-tools';
import { z } from 'zod';
import { bootError } from '../support/app.js';
import { readings, start } from './support/start.js';

enum Color {
  Red = 'red',
  Blue = 'blue',
}

class PartDto {
  @IsUUID()
  id!: string;

  @IsEnum(Color)
  color!: Color;

  @IsNumber({}, { each: true })
  sizes!: number[];
}

class ProductDto {
  @ValidateNested({ each: true })
  @Type(() => PartDto)
  parts!: PartDto[];
}

@Injectable()
class SchemaTools {
  received?: ProductDto;

  @Tool('Build a product.')
  build(product: ProductDto) {
    this.received = product;
  }

  @Tool('Paint.')
  paint(
    @ToolParam('color', { enum: Color }) _color: Color,
    @ToolParam('sides', { enum: ['left', 'right'] }) _sides: string,
    @ToolParam('names', { type: [String] }) _names: string[],
    @ToolParam('id', { schema: z.uuid() }) _id: string,
    @ToolParam('price') _price: number,
  ) {}
}

describe('what the model is told of a parameter', () => {
  it('has the values of an enum, the items of a list and the format of a text', async () => {
    const { registry } = await start({ providers: [SchemaTools] });
    expect(registry.get('paint')?.inputSchema.jsonSchema).toMatchObject({
      properties: {
        color: { type: 'string', enum: ['red', 'blue'] },
        sides: { type: 'string', enum: ['left', 'right'] },
        names: { type: 'array', items: { type: 'string' } },
        id: { type: 'string', format: 'uuid' },
        price: { type: 'number' },
      },
      required: ['color', 'sides', 'names', 'id', 'price'],
    });
  });

  it('has them within lists of objects, too', async () => {
    const { registry } = await start({ providers: [SchemaTools] });
    const { properties, $defs } = registry.get('build')?.inputSchema.jsonSchema ?? {};
    const text = JSON.stringify({ properties, $defs });
    expect(text).toContain('"enum":["red","blue"]');
    expect(text).toContain('"format":"uuid"');
    expect(text).toMatch(/"sizes":{[^}]*"items":{"type":"number"}/);
  });

  it('is what the method gets: instances of the classes, also in lists', async () => {
    const { app, call } = await start({ providers: [SchemaTools] });
    const id = '5f3b0a52-6d2e-4f0c-9a68-0d8e6b3a1c11';
    const { status } = await call('build', { parts: [{ id, color: 'red', sizes: [-1.5] }] });
    expect(status).toBe('success');
    const { received } = app.get(SchemaTools);
    expect(received).toBeInstanceOf(ProductDto);
    expect(received?.parts[0]).toBeInstanceOf(PartDto);
    expect(received?.parts[0].sizes).toEqual([-1.5]);
  });
});

const ran: string[] = [];

class BaseTools {
  @Tool('Greet, as the base class does.')
  greet() {
    ran.push('base greet');
    return 'base';
  }

  @Tool('Part, as the base class does.')
  part() {
    ran.push('base part');
    return 'base';
  }
}

@Injectable()
class DerivedTools extends BaseTools {
  @Tool('Greet, as the subclass does.')
  override greet() {
    ran.push('derived greet');
    return 'derived';
  }

  override part() {
    ran.push('derived part');
    return 'derived';
  }
}

describe('a method that a subclass overrides', () => {
  it('is one tool, described and run as the subclass says', async () => {
    ran.length = 0;
    const { registry, step } = await start({ providers: [DerivedTools] });
    expect(registry.list().map(({ name, description }) => [name, description])).toEqual([
      ['greet', 'Greet, as the subclass does.'],
      ['part', 'Part, as the base class does.'],
    ]);
    const { model } = await step([{ tool: 'greet' }, { tool: 'part' }]);
    expect(readings(model)).toEqual(['derived', 'derived']);
    expect(ran).toEqual(['derived greet', 'derived part']);
  });
});

function searching(options: ToolOptions) {
  class Searching {
    @Tool({ name: 'search', ...options, inputSchema: undefined, outputSchema: undefined })
    run() {
      return options.description;
    }
  }
  return Searching;
}

describe('two tools of one name', () => {
  it.each<[string, ToolOptions, ToolOptions]>([
    ['are alike', { description: 'Searches.' }, { description: 'Searches.' }],
    ['are described differently', { description: 'Searches.' }, { description: 'Finds.' }],
    ['do different things', { effect: 'read' }, { effect: 'destructive' }],
  ])('stop the boot when they %s', async (_how, first, second) => {
    const message = await bootError({ providers: [searching(first), searching(second)] });
    expect(message).toContain('The name "search" is taken by Searching.run');
  });

  it('stop the boot when one is a method and the other an object', async () => {
    const object = tool({ name: 'search', description: 'Finds.' }, () => 'found');
    const message = await bootError({
      imports: [AgentToolsModule.forFeature({ tools: [object] })],
      providers: [searching({ description: 'Searches.' })],
    });
    expect(message).toContain('The name "search" is taken by');
  });

  it('are refused at run time, and the first one stays', async () => {
    const { registry, step } = await start({
      providers: [searching({ description: 'Searches.' })],
    });
    const later = tool({ name: 'search', description: 'Takes over.' }, () => 'taken over');
    await expect(registry.register(later)).rejects.toThrow(ToolDeclarationException);
    const { model } = await step([{ tool: 'search' }]);
    expect(readings(model)).toEqual(['Searches.']);
    expect(registry.get('search')?.description).toBe('Searches.');
  });

  it('may be methods of one name, if the tools have names of their own', async () => {
    const { step } = await start({
      providers: [
        searching({ name: 'searchOrders', description: 'orders' }),
        searching({ name: 'searchUsers', description: 'users' }),
      ],
    });
    const { model } = await step([{ tool: 'searchUsers' }, { tool: 'searchOrders' }]);
    expect(readings(model)).toEqual(['users', 'orders']);
  });
});

@Injectable()
class WipeTools {
  @Tool({ name: 'wipeMethod', description: 'Wipes.', effect: 'destructive' })
  wipe() {
    ran.push('method');
  }
}

@Injectable()
class WipeTool implements AgentTool {
  readonly name = 'wipeClass';
  readonly description = 'Wipes.';
  readonly effect = 'destructive';
  execute() {
    ran.push('class');
  }
}

const wiping = (name: string) =>
  tool({ name, description: 'Wipes.', effect: 'destructive' }, () => {
    ran.push(name);
  });

const NAMES = ['wipeMethod', 'wipeClass', 'wipeFunction', 'wipeLater'];

const FORMS = {
  providers: [WipeTools, WipeTool],
  tools: [WipeTool, wiping('wipeFunction')],
};

/** One call of a tool of every form in which tools can be declared. */
async function wipeAll(setup: Parameters<typeof start>[0]) {
  ran.length = 0;
  const { registry, step } = await start(setup);
  await registry.register(wiping('wipeLater'));
  const { results } = await step(NAMES.map((name) => ({ tool: name })));
  return results.map(({ status }) => status);
}

describe('no form of tool gets around', () => {
  it('a global guard', async () => {
    let asked = 0;
    const guard: CanActivate = {
      canActivate: () => {
        asked++;
        return false;
      },
    };
    const statuses = await wipeAll({
      ...FORMS,
      providers: [...FORMS.providers, { provide: APP_GUARD, useValue: guard }],
    });
    expect(statuses).toEqual(Array(4).fill('denied'));
    expect(asked).toBe(4);
    expect(ran).toEqual([]);
  });

  it('the approval of destructive calls', async () => {
    const asked: string[] = [];
    const approve = ({ name }: { name: string }) => {
      asked.push(name);
      return false;
    };
    const statuses = await wipeAll({ ...FORMS, module: { toolDefaults: { approve } } });
    expect(statuses).toEqual(Array(4).fill('denied'));
    expect(asked).toEqual(NAMES);
    expect(ran).toEqual([]);
  });

  it('nothing, where nothing forbids it', async () => {
    expect(await wipeAll(FORMS)).toEqual(Array(4).fill('success'));
    expect(ran).toEqual(['method', 'class', 'wipeFunction', 'wipeLater']);
  });
});
