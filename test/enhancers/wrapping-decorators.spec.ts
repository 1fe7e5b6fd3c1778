import { afterEach, describe, expect, it } from '@jest/globals';
import { UseGuards, type CanActivate } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolDeclarationException } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { compileApp } from '../support/app.js';

let wrapped = 0;
let ran = 0;

/** Replaces the method by a function without its metadata. */
const Naive: MethodDecorator = (_target, _key, descriptor) => {
  const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    wrapped++;
    return original.apply(this, args);
  } as never;
};

/** As nestjs-cls and nestjs-otel do it: a proxy, and all metadata copied. */
const Copying: MethodDecorator = (_target, _key, descriptor) => {
  const original = descriptor.value as unknown as object;
  const proxy = new Proxy(original as (...args: unknown[]) => unknown, {
    apply(target, self, args) {
      wrapped++;
      const result: unknown = Reflect.apply(target, self, args);
      return result;
    },
  });
  for (const key of Reflect.getMetadataKeys(original)) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), proxy);
  }
  descriptor.value = proxy as never;
};

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

function hostWith(decorators: readonly MethodDecorator[]): new () => object {
  class Host {
    run() {
      ran++;
      return 'ran';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Host.prototype, 'run') as PropertyDescriptor;
  // As TypeScript does it: from the innermost outwards, the property is defined at the end.
  for (const decorate of decorators.toReversed()) decorate(Host.prototype, 'run', descriptor);
  Object.defineProperty(Host.prototype, 'run', descriptor);
  return Host;
}

const named = (name: string, decorator: MethodDecorator) => ({ name, decorator });
const ToolMark = named('@Tool', Tool('Anything.'));
const Guarded = named('@UseGuards', UseGuards(Deny));

const orders = [named('@Naive', Naive), named('@Copying', Copying)].flatMap((wrapper) =>
  permutations([ToolMark, Guarded, wrapper]).map((order) => ({
    label: order.map(({ name }) => name).join(' '),
    decorators: order.map(({ decorator }) => decorator),
  })),
);

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close().catch(() => undefined);
  app = undefined;
  wrapped = 0;
  ran = 0;
});

describe('when a tool is guarded and wrapped', () => {
  it.each(orders)(
    'as $label, the guard holds or the application does not start',
    async ({ decorators }) => {
      app = await compileApp({ providers: [hostWith(decorators)] });
      const refusal: unknown = await app.init().then(
        () => undefined,
        (error: unknown) => error,
      );
      const outcome =
        refusal instanceof ToolDeclarationException
          ? 'refused to start'
          : (await callTool(app, 'run', {})).status;
      expect(['refused to start', 'denied']).toContain(outcome);
      expect(ran).toBe(0);
    },
  );

  it('holds where the wrapper copies metadata, in every order', async () => {
    for (const { decorators } of orders.filter(({ label }) => label.includes('@Copying'))) {
      const testing = await compileApp({ providers: [hostWith(decorators)] });
      await testing.init();
      expect((await callTool(testing, 'run', {})).status).toBe('denied');
      await testing.close();
    }
  });

  it.each(permutations([ToolMark, named('@Naive', Naive), named('@Copying', Copying)]))(
    'finds the tool and runs the wrappers in every order',
    async (...order) => {
      app = await compileApp({ providers: [hostWith(order.map(({ decorator }) => decorator))] });
      expect((await callTool(app, 'run', {})).content).toBe('ran');
      expect(wrapped).toBe(2);
    },
  );
});
