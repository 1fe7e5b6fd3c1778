import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  tool,
  ToolRegistry,
  type AgentTool,
  type ToolCall,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { bootError, compileApp, createApp, moduleOf } from '../support/app.js';

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

@Injectable()
class Rates {
  readonly eur = 0.9;
}

/** Depends on something of the host's module only. */
@Injectable()
class RateGuard implements CanActivate {
  static readonly asked: string[] = [];
  constructor(private readonly rates: Rates) {}
  canActivate(context: ExecutionContext) {
    RateGuard.asked.push(`${context.getClass().name} ${this.rates.eur}`);
    return true;
  }
}

const ConvertInput = z.object({ dollars: z.number() });

@Injectable()
@UseGuards(RateGuard)
class ConvertTool implements AgentTool<typeof ConvertInput> {
  readonly name = 'convert';
  readonly description = 'Converts dollars to euros.';
  readonly inputSchema = ConvertInput;
  constructor(private readonly rates: Rates) {}

  execute({ dollars }: z.output<typeof ConvertInput>, call: ToolCall) {
    return { euros: dollars * this.rates.eur, call: call.name };
  }
}

describe('when forFeature() lists tool objects', () => {
  it('runs a class that implements AgentTool, with the guards of its class, in its module', async () => {
    const feature = moduleOf({
      imports: [AgentToolsModule.forFeature({ tools: [ConvertTool] })],
      providers: [Rates, ConvertTool],
    });
    app = await createApp({ imports: [feature] });
    expect(app.get(ToolRegistry).get('convert')?.host).toEqual({
      className: 'ConvertTool',
      methodName: 'execute',
      moduleName: 'FixtureModule',
    });
    const { value } = await callTool(app, 'convert', { dollars: 10 });
    expect(value).toEqual({ euros: 9, call: 'convert' });
    expect((await callTool(app, 'convert', { dollars: 'ten' })).status).toBe('error');
    expect(RateGuard.asked).toEqual(['ConvertTool 0.9', 'ConvertTool 0.9']);
  });

  it('runs a function, and its agents can choose it by name', async () => {
    const add = tool(
      { name: 'add', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }, call) => `${a + b} in step ${call.step}`,
    );
    const model = scripted([{ calls: [{ tool: 'add', arguments: { a: 1, b: 2 } }] }, 'Three.']);
    app = await createApp({ imports: [AgentToolsModule.forFeature({ tools: [add] })] }, { model });
    const result = await app.get(AgentService).run('1 + 2?', { tools: ['add'] });
    expect(result.steps[0].toolResults[0].content).toBe('3 in step 1');
  });

  it('has its tools also in a testing module without init()', async () => {
    const hello = tool({ name: 'hello' }, () => 'Hello.');
    app = await compileApp({ imports: [AgentToolsModule.forFeature({ tools: [hello] })] });
    expect((await callTool(app, 'hello', {})).content).toBe('Hello.');
  });

  it.each<[string, () => Parameters<typeof AgentToolsModule.forFeature>[0]['tools'], string]>([
    ['a class that no module provides', () => [ConvertTool], 'but no module provides it'],
    [
      'two tools of one name',
      () => [tool({ name: 'same' }, () => 1), tool({ name: 'same' }, () => 2)],
      'The name "same" is taken',
    ],
    ['a name that is not allowed', () => [tool({ name: '' }, () => 1)], 'is not allowed'],
    [
      '`retry` without a reason to believe that it is safe',
      () => [tool({ name: 'pay', retry: 2 }, () => 1)],
      'has `retry`, but a second call might do its work twice',
    ],
  ])('refuses to start with %s', async (_case, tools, message) => {
    const imports = [AgentToolsModule.forFeature({ tools: tools() })];
    expect(await bootError({ imports })).toContain(message);
  });

  it('refuses to start with a class that is request-scoped', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped implements AgentTool {
      readonly name = 'scoped';
      execute() {}
    }
    const imports = [AgentToolsModule.forFeature({ tools: [Scoped] })];
    expect(await bootError({ imports, providers: [Scoped] })).toContain(
      'put @Tool({ name, … }) on `execute`',
    );
  });
});
