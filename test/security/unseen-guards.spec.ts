import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards, type CanActivate, type Provider } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { AgentToolsModule, Tool, ToolRegistry, type AgentTool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp, moduleOf } from '../support/app.js';

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

let app: TestingModule | undefined;
let runs = 0;
afterEach(async () => {
  await app?.close();
  app = undefined;
  runs = 0;
});

class GuardedTool implements AgentTool {
  readonly name: string = 'pay';
  readonly description = 'Pay.';

  @UseGuards(Deny)
  execute(): unknown {
    runs++;
    return 'paid';
  }
}

class BoundTool extends GuardedTool {
  constructor() {
    super();
    this.execute = this.execute.bind(this);
  }
}

class OverridingTool extends GuardedTool {
  override execute() {
    return super.execute();
  }
}

class FieldTool extends GuardedTool {
  override execute = () => {
    runs++;
    return 'paid';
  };
}

describe('a tool object whose `execute` is not the decorated method itself', () => {
  const TYPES = [GuardedTool, BoundTool, OverridingTool, FieldTool];

  it.each(TYPES)('%p is guarded or stops the boot', async (type) => {
    const tools = moduleOf({
      imports: [AgentToolsModule.forFeature({ tools: [type] })],
      providers: [type],
    });
    app = await createApp({ imports: [tools] }).catch(() => undefined);
    if (app) await callTool(app, 'pay', {});
    expect(runs).toBe(0);
  });

  it.each(TYPES)('%p is guarded or refused at run time', async (type) => {
    app = await createApp({});
    await app
      .get(ToolRegistry)
      .register(new type())
      .catch(() => undefined);
    await callTool(app, 'pay', {});
    expect(runs).toBe(0);
  });
});

class Base {
  @Tool('Pay.')
  pay(): unknown {
    return 'nothing';
  }
}

class Guarded extends Base {
  @Tool('Pay.')
  @UseGuards(Deny)
  override pay() {
    runs++;
    return 'paid';
  }
}

@Injectable()
class Substituting extends Base {
  constructor() {
    super();
    return new Guarded();
  }
}

const forwarding = () => {
  const real = new Guarded();
  return new Proxy({}, { get: (_target, key): unknown => Reflect.get(real, key) });
};

describe('a provider whose real instance is of a guarded subclass', () => {
  it.each<[string, Provider]>([
    ['itself', { provide: Base, useFactory: () => new Guarded() }],
    [
      'under an object that inherits from it',
      { provide: Base, useFactory: () => Object.create(new Guarded()) as object },
    ],
    ['behind a proxy of something else', { provide: Base, useFactory: forwarding }],
    [
      'as its method only',
      {
        provide: Base,
        useFactory: () => ({ pay: Reflect.get(Guarded.prototype, 'pay') as unknown }),
      },
    ],
    ['returned by the constructor', Substituting],
  ])('is guarded or refused: %s', async (_form, provider) => {
    app = await createApp({ providers: [provider] }).catch(() => undefined);
    if (app) await callTool(app, 'pay', {});
    expect(runs).toBe(0);
  });
});
