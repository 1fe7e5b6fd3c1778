/** What a run-scoped instance that cannot be made does to a tool call: an error, and no run. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type ExecutionContext,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { AgentService, Tool, ToolParam } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let isFailing = false;
let runs = 0;

function failIfFailing(): void {
  if (isFailing) throw new Error('It cannot be made.');
}

class Made {
  constructor() {
    failIfFailing();
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends Made {
  canActivate() {
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedInterceptor extends Made {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedPipe extends Made {
  transform(value: unknown) {
    return value;
  }
}

@Catch()
@Injectable({ scope: Scope.REQUEST })
class ScopedFilter extends Made {
  catch(error: unknown): never {
    throw error;
  }
}

class Base {
  @Tool('Runs.')
  run(@ToolParam('text') text: string) {
    runs++;
    return text;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedHost extends Base {
  constructor() {
    super();
    failIfFailing();
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientHost extends Base {
  constructor() {
    super();
    failIfFailing();
  }
}

class Connection {}

@Injectable()
class ConnectedHost extends Base {
  constructor(readonly connection: Connection) {
    super();
  }
}

const rejecting = (provide: Type, make: () => object): Provider => ({
  provide,
  scope: Scope.REQUEST,
  useFactory: async () => {
    await new Promise((resolve) => setImmediate(resolve));
    failIfFailing();
    return make();
  },
});

class FactoryHost extends Base {}

@UseGuards(ScopedGuard)
class Guarded extends Base {}

@UseInterceptors(ScopedInterceptor)
class Intercepted extends Base {}

@UsePipes(ScopedPipe)
class Piped extends Base {}

@UseFilters(ScopedFilter)
class Filtered extends Base {}

class ParameterPiped {
  @Tool('Runs.')
  run(@ToolParam('text', ScopedPipe) text: string) {
    runs++;
    return text;
  }
}

const CASES: readonly [string, Provider[]][] = [
  ['the constructor of a request-scoped host throws', [ScopedHost]],
  ['the constructor of a transient host throws', [TransientHost]],
  [
    'an async request-scoped factory of a host rejects',
    [rejecting(FactoryHost, () => new FactoryHost())],
  ],
  [
    'an async request-scoped factory of a dependency rejects',
    [ConnectedHost, rejecting(Connection, () => new Connection())],
  ],
  ['the constructor of a request-scoped guard throws', [Guarded]],
  ['the constructor of a request-scoped interceptor throws', [Intercepted]],
  ['the constructor of a request-scoped pipe throws', [Piped]],
  ['the constructor of a request-scoped filter throws', [Filtered]],
  ['the constructor of a request-scoped pipe of a parameter throws', [ParameterPiped]],
  [
    'the constructor of a request-scoped guard throws, on a host from useValue',
    [{ provide: 'HOST', useValue: new Guarded() }],
  ],
  [
    'the constructor of a request-scoped global guard throws',
    [FactoryHost, { provide: APP_GUARD, useClass: ScopedGuard }],
  ],
  [
    'an async request-scoped factory of a global interceptor rejects',
    [
      FactoryHost,
      {
        ...rejecting(ScopedInterceptor, () => new ScopedInterceptor()),
        provide: APP_INTERCEPTOR,
      } as Provider,
    ],
  ],
];

let app: TestingModule;
beforeEach(() => {
  isFailing = true;
  runs = 0;
});
afterEach(() => app.close());

describe.each(CASES)('when %s', (_case, providers) => {
  const call = { tool: 'run', arguments: { text: 'ran' } };

  it.each([
    ['with a request', { request: { headers: {} } }],
    ['without a request', {}],
  ])('the calls are errors, and later ones of that run work, %s', async (_kind, options) => {
    app = await createApp({ providers });
    const model = scripted([
      [call, call],
      () => {
        isFailing = false;
        return [call, call];
      },
      'Done.',
    ]);
    const { steps, status } = await app.get(AgentService).run('Go.', { ...options, model });
    expect(status).toBe('completed');
    expect(steps[0].toolResults.map((result) => result.status)).toEqual(['error', 'error']);
    expect(steps[1].toolResults.map(({ content }) => content)).toEqual(['ran', 'ran']);
    expect(runs).toBe(2);
  });

  it('the tool does not run, and does when it can be made', async () => {
    app = await createApp({ providers });
    const failed = await callTool(app, 'run', { text: 'ran' });
    expect(failed.status).toBe('error');
    expect(failed.error).toMatchObject({ message: 'It cannot be made.' });
    expect(failed.content).not.toContain('It cannot be made.');
    expect(runs).toBe(0);
    isFailing = false;
    expect((await callTool(app, 'run', { text: 'ran' })).content).toBe('ran');
    expect(runs).toBe(1);
  });
});
