/** The option `globalEnhancers`: which of the application's enhancers run for tools. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Logger,
  Param,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type ExecutionContext,
  type INestApplication,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AgentToolsModule,
  isToolContext,
  Tool,
  ToolParam,
  type AgentToolsModuleOptions,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import supertest from 'supertest';
import type { App } from 'supertest/types.js';

type Choice = NonNullable<AgentToolsModuleOptions['globalEnhancers']>;

const KINDS = ['guard', 'interceptor', 'pipe', 'filter'] as const;

/** What ran, in its order. */
const journal: string[] = [];

class Probe {
  constructor(readonly label: string) {}
}

class ProbeGuard extends Probe {
  canActivate(context: ExecutionContext) {
    journal.push(`${this.label} guard${isToolContext(context) ? '' : ' over HTTP'}`);
    return true;
  }
}

class ProbeInterceptor extends Probe {
  intercept(_context: ExecutionContext, next: CallHandler) {
    journal.push(`${this.label} interceptor`);
    return next.handle();
  }
}

class ProbePipe extends Probe {
  transform(value: unknown) {
    journal.push(`${this.label} pipe`);
    return value;
  }
}

class ProbeFilter extends Probe {
  catch(error: unknown): never {
    journal.push(`${this.label} filter`);
    throw error;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends ProbeGuard {
  constructor(@Inject(REQUEST) readonly request: unknown) {
    super('scoped');
    journal.push('scoped guard constructed');
  }
}

@UseGuards(new ProbeGuard('own'))
@UseInterceptors(new ProbeInterceptor('own'))
@UsePipes(new ProbePipe('own'))
@UseFilters(new ProbeFilter('own'))
class Tools {
  @Tool('Fails.')
  fail(@ToolParam('text') text: string) {
    journal.push('method');
    throw new Error(text);
  }
}

@Controller()
class PageController {
  @Get(':id')
  page(@Param('id') id: string) {
    return id;
  }
}

const GLOBALS: Provider[] = [
  { provide: APP_GUARD, useValue: new ProbeGuard('global') },
  { provide: APP_INTERCEPTOR, useValue: new ProbeInterceptor('global') },
  { provide: APP_PIPE, useFactory: () => new ProbePipe('global') },
  { provide: APP_FILTER, useFactory: () => new ProbeFilter('global') },
];

const OWN = ['own guard', 'own interceptor', 'own pipe', 'method', 'own filter'];
const ALL = [
  'global guard',
  'own guard',
  'global interceptor',
  'own interceptor',
  'global pipe',
  'own pipe',
  'method',
  'own filter',
];

let app: INestApplication<App>;
afterEach(() => app.close());

async function start(globalEnhancers?: Choice, providers: Provider[] = GLOBALS) {
  journal.length = 0;
  const testing = await Test.createTestingModule({
    imports: [AgentToolsModule.forRoot({ globalEnhancers })],
    controllers: [PageController],
    providers: [Tools, ...providers],
  }).compile();
  app = testing.createNestApplication<INestApplication<App>>();
  Logger.overrideLogger(false);
  app.useGlobalGuards(new ProbeGuard('used'));
  await app.init();
}

/** What runs for one tool call. */
async function callOnce(): Promise<string[]> {
  journal.length = 0;
  await callTool(app, 'fail', { text: 'no' }, { request: { headers: {} } });
  return [...journal];
}

describe('globalEnhancers', () => {
  it.each<[Choice | undefined]>([[undefined], ['all'], [() => true]])(
    'lets all of them run if it is %p',
    async (choice) => {
      await start(choice);
      expect(await callOnce()).toEqual(expect.arrayContaining([...ALL, 'used guard']));
      expect(journal).toHaveLength(ALL.length + 1);
    },
  );

  it.each<[Choice]>([['none'], [() => false]])(
    'lets none of them run if it is %p, but those of the class, and leaves HTTP alone',
    async (choice) => {
      await start(choice, [...GLOBALS, { provide: APP_GUARD, useClass: ScopedGuard }]);
      expect(await callOnce()).toEqual(OWN);
      journal.length = 0;
      await supertest(app.getHttpServer()).get('/1').expect(200);
      expect(journal).toEqual(
        expect.arrayContaining([
          'global guard over HTTP',
          'used guard over HTTP',
          'scoped guard over HTTP',
          'global interceptor',
          'global pipe',
        ]),
      );
    },
  );

  it.each(KINDS)('leaves out what a function says no to: each %s', async (left) => {
    await start((_enhancer, kind) => kind !== left);
    const ran = await callOnce();
    const expected = [...ALL, 'used guard'].filter(
      (entry) => !/^(global|used)/.test(entry) || !entry.endsWith(left),
    );
    expect(ran.toSorted()).toEqual(expected.toSorted());
  });

  it('gives the function every instance with its kind', async () => {
    const asked = new Map<unknown, string>();
    await start((enhancer, kind) => {
      asked.set(enhancer, `${enhancer.constructor.name} ${kind}`);
      return true;
    });
    await callOnce();
    expect([...asked.values()].toSorted()).toEqual([
      'ProbeFilter filter',
      'ProbeGuard guard',
      'ProbeGuard guard',
      'ProbeInterceptor interceptor',
      'ProbePipe pipe',
    ]);
    expect([...asked.keys()].map((probe) => (probe as Probe).label).toSorted()).toEqual([
      'global',
      'global',
      'global',
      'global',
      'used',
    ]);
  });

  it('tells two instances of one class apart', async () => {
    await start((enhancer) => (enhancer as Probe).label !== 'used');
    expect(await callOnce()).toEqual(ALL);
  });

  describe('of a request-scoped enhancer', () => {
    const scoped: Provider = { provide: APP_GUARD, useClass: ScopedGuard };

    it('gets something that instanceof works with, and its no is kept', async () => {
      const asked: unknown[] = [];
      await start(
        (enhancer, kind) => {
          asked.push([enhancer instanceof ScopedGuard, kind]);
          return !(enhancer instanceof ScopedGuard);
        },
        [scoped],
      );
      expect(await callOnce()).toEqual(['used guard', ...OWN]);
      expect(asked).toContainEqual([true, 'guard']);
    });

    it('lets the constructed instance run, if it says yes', async () => {
      await start((enhancer) => enhancer instanceof ScopedGuard, [scoped]);
      expect(await callOnce()).toEqual(['scoped guard constructed', 'scoped guard', ...OWN]);
    });
  });

  it('is asked about what is added after the boot, too', async () => {
    await start((enhancer) => (enhancer as Probe).label !== 'late and unwanted');
    app.useGlobalGuards(new ProbeGuard('late'), new ProbeGuard('late and unwanted'));
    const ran = await callOnce();
    expect(ran).toContain('late guard');
    expect(ran).not.toContain('late and unwanted guard');
    expect(ran).toContain('method');
  });

  describe('where the function throws', () => {
    const choice: Choice = (enhancer) => {
      if ((enhancer as Probe).label === 'broken') throw new Error('The choice is broken.');
      return true;
    };
    const broken = new ProbeGuard('broken');

    it('fails the boot', async () => {
      const guard = { provide: APP_GUARD, useValue: broken };
      await expect(start(choice, [guard])).rejects.toThrow('The choice is broken.');
    });

    it('fails every call if that is after the boot, and the method does not run', async () => {
      await start(choice);
      app.useGlobalGuards(broken);
      const results = [];
      for (let call = 0; call < 3; call++) {
        results.push(await callTool(app, 'fail', { text: 'no' }));
      }
      expect(results.map(({ status }) => status)).toEqual(['error', 'error', 'error']);
      expect(results[2].error).toMatchObject({ message: 'The choice is broken.' });
      expect(journal).not.toContain('method');
    });
  });
});
