import {
  Controller,
  Injectable,
  Scope,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { ClsModule, ClsService, InjectableProxy } from 'nestjs-cls';
import { moduleOf } from '../../support/app.js';
import {
  createBase,
  createHost,
  HOST_SERVICE,
  inheriting,
  overriding,
  redeclaring,
  type HostClass,
  type HostParts,
} from './hosts.js';
import type { Dependency, Probe } from './probe.js';

/** A tool of a case, and what its enhancers have to see. */
export interface Target {
  readonly tool: string;
  readonly host: HostClass;
  /** Of the module. */
  readonly origin: string;
  readonly probe: Probe;
  /** What the trail holds before the method of the host itself runs. */
  readonly prelude?: readonly string[];
}

/** The modules of a case. */
export interface Fixture {
  readonly modules: readonly DynamicModule[];
  readonly targets: readonly Target[];
}

/** A way of registering the host of a tool. */
export interface HostForm {
  readonly title: string;
  /** Nest makes a new instance for each run. */
  readonly isScoped?: boolean;
  /** So does nestjs-cls, but what Nest knows of is a singleton. */
  readonly isProxy?: boolean;
  /** The modules are loaded after the boot. */
  readonly isLazy?: boolean;
  build(id: string, createParts: () => HostParts): Fixture;
  /** Where the form needs something around a call. */
  around?<T>(app: TestingModule, target: Target, call: () => Promise<T>): Promise<T>;
}

type Registration = (host: HostClass, service: Dependency) => ModuleMetadata;

const asProvider =
  (provide: (host: HostClass, service: Dependency) => Provider): Registration =>
  (host, service) => ({ providers: [provide(host, service)] });

const factoryOf = (host: HostClass) => ({
  useFactory: (service: Dependency) => new host(service),
  inject: [HOST_SERVICE],
});

/** One class in one module. */
function simple(
  title: string,
  register: Registration,
  options: Pick<HostForm, 'isScoped' | 'isLazy'> & {
    createClass?: (parts: HostParts, tool: string, name: string) => HostClass;
    prelude?: readonly string[];
  } = {},
): HostForm {
  const { createClass = createHost, prelude, ...rest } = options;
  return {
    title,
    ...rest,
    build: (id, createParts) => {
      const parts = createParts();
      const host = createClass(parts, id, `Host_${id}`);
      const target = targetOf(parts, id, host);
      return {
        modules: [moduleFor(target, parts, register)],
        targets: [{ ...target, ...(prelude && { prelude }) }],
      };
    },
  };
}

function decorated(title: string, decorator: ClassDecorator, isScoped: boolean): HostForm {
  const createClass = (...args: Parameters<typeof createHost>) => {
    const host = createHost(...args);
    decorator(host);
    return host;
  };
  const isController = title.includes('controller');
  const register: Registration = (host) =>
    isController ? { controllers: [host] } : { providers: [host] };
  return simple(title, register, { createClass, isScoped });
}

function clsProxy(title: string, decorator: (target: Type) => unknown): HostForm {
  return {
    title,
    isProxy: true,
    build: (id, createParts) => {
      const parts = createParts();
      const host = createHost(parts, id, `Host_${id}`);
      decorator(host);
      const target = targetOf(parts, id, host);
      const extraProviders = [...dependenciesOf(target, parts), serviceOf(target)];
      return {
        modules: [ClsModule.forFeatureAsync({ useClass: host, extraProviders })],
        targets: [target],
      };
    },
    around: (app, { host }, call) => {
      const cls = app.get(ClsService);
      return cls.run(async () => {
        await cls.proxy.resolve([host]);
        return call();
      });
    },
  };
}

/** The second module has a subclass, as no two tools may have one name; the enhancers are shared. */
const inTwoModules: HostForm = {
  title: 'a class and its subclass in two modules',
  build: (id, createParts) => {
    const parts = createParts();
    const first = createHost(parts, `${id}_1`, `Host_${id}_1`);
    const second = redeclaring(first, parts, `${id}_2`, `Host_${id}_2`);
    const targets = [targetOf(parts, `${id}_1`, first), targetOf(parts, `${id}_2`, second)];
    return {
      modules: targets.map((target) => moduleFor(target, parts, (host) => ({ providers: [host] }))),
      targets,
    };
  },
};

const ofOneName: HostForm = {
  title: 'two classes of the same name',
  build: (id, createParts) => {
    const both = [`${id}_1`, `${id}_2`].map((tool) => {
      const parts = createParts();
      const target = targetOf(parts, tool, createHost(parts, tool, `Host_${id}`));
      return { parts, target };
    });
    return {
      modules: both.map(({ parts, target }) =>
        moduleFor(target, parts, (host) => ({ providers: [host] })),
      ),
      targets: both.map(({ target }) => target),
    };
  },
};

export const FORMS: readonly HostForm[] = [
  simple('a class', (host) => ({ providers: [host] })),
  simple(
    '`useClass` under another token',
    asProvider((host) => ({ provide: `TOKEN_${host.name}`, useClass: host })),
  ),
  simple(
    '`useFactory` under its class',
    asProvider((host) => ({ provide: host, ...factoryOf(host) })),
  ),
  simple(
    '`useFactory` under a string',
    asProvider((host) => ({ provide: `TOKEN_${host.name}`, ...factoryOf(host) })),
  ),
  simple(
    'a factory of a `Proxy`',
    asProvider((host) => ({
      provide: `TOKEN_${host.name}`,
      useFactory: (service: Dependency) => new Proxy(new host(service), {}),
      inject: [HOST_SERVICE],
    })),
  ),
  simple(
    'a request-scoped `useFactory` under its class',
    asProvider((host) => ({ provide: host, scope: Scope.REQUEST, ...factoryOf(host) })),
    { isScoped: true },
  ),
  simple(
    '`useValue` under its class',
    asProvider((host, service) => ({ provide: host, useValue: new host(service) })),
  ),
  simple(
    '`useValue` under a string',
    asProvider((host, service) => ({
      provide: `TOKEN_${host.name}`,
      useValue: new host(service),
    })),
  ),
  simple('a class with an alias', (host) => ({
    providers: [host, { provide: `ALIAS_${host.name}`, useExisting: host }],
  })),
  clsProxy('a proxy provider of nestjs-cls', InjectableProxy()),
  clsProxy('a strict proxy provider of nestjs-cls', InjectableProxy({ strict: true })),
  simple('an inherited method', (host) => ({ providers: [host] }), {
    createClass: (parts, tool, name) =>
      inheriting(createBase(parts, tool, `Base_${name}`), parts, name),
  }),
  simple('an override without decorators', (host) => ({ providers: [host] }), {
    createClass: (parts, tool, name) =>
      overriding(createHost(parts, tool, `Base_${name}`), parts, name),
    prelude: ['override'],
  }),
  inTwoModules,
  ofOneName,
  decorated('a transient class', Injectable({ scope: Scope.TRANSIENT }), true),
  decorated('a request-scoped class', Injectable({ scope: Scope.REQUEST }), true),
  decorated('a durable class', Injectable({ scope: Scope.REQUEST, durable: true }), true),
  simple('a class of a lazily loaded module', (host) => ({ providers: [host] }), {
    isLazy: true,
  }),
  decorated('a controller', Controller(), false),
  decorated('a request-scoped controller', Controller({ scope: Scope.REQUEST }), true),
];

function targetOf(parts: HostParts, tool: string, host: HostClass): Target {
  return { tool, host, origin: `module of ${tool}`, probe: parts.probe };
}

/** What only this module provides. */
function moduleFor(target: Target, parts: HostParts, register: Registration): DynamicModule {
  const service = { origin: target.origin };
  const { providers = [], ...rest } = register(target.host, service);
  return moduleOf({
    ...rest,
    providers: [...dependenciesOf(target, parts), serviceOf(target), ...providers],
  });
}

function serviceOf({ origin }: Target): Provider {
  return { provide: HOST_SERVICE, useFactory: () => ({ origin }) };
}

export function dependenciesOf({ origin }: Pick<Target, 'origin'>, parts: HostParts): Provider[] {
  const { dependency, scopedDependency } = parts.tokens;
  return [
    { provide: dependency, useFactory: () => ({ origin }) },
    { provide: scopedDependency, scope: Scope.REQUEST, useFactory: () => ({ origin }) },
  ];
}
