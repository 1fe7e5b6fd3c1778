import { UseCls } from 'nestjs-cls';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** How often what wraps and what is wrapped ran. */
export const runs = { wrapper: 0, method: 0 };

export function resetRuns(): void {
  runs.wrapper = 0;
  runs.method = 0;
}

function wrapping(wrap: (method: Method) => Method): MethodDecorator {
  return (_target, _key, descriptor) => {
    descriptor.value = wrap(descriptor.value as unknown as Method) as never;
  };
}

function counting(method: Method): Method {
  return function (...args) {
    runs.wrapper++;
    return method.apply(this, args);
  };
}

function copyMetadata(from: Method, to: Method): Method {
  for (const key of Reflect.getMetadataKeys(from)) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
  }
  return to;
}

/** Replaces the method by a function that knows nothing of its metadata. */
const Naive = wrapping(counting);

/** The same, but with a descriptor of its own. */
const NaiveDescriptor: MethodDecorator = (_target, _key, descriptor) => ({
  ...descriptor,
  value: counting(descriptor.value as unknown as Method) as never,
});

/** A proxy has no metadata of its own either. */
const BareProxy = wrapping(
  (method) =>
    new Proxy(method, {
      apply(target, self, args) {
        runs.wrapper++;
        return Reflect.apply(target, self, args);
      },
    }),
);

/** As `@Span()` of nestjs-otel and `@Transactional()` of typeorm-transactional. */
const Copying = wrapping((method) => {
  const wrapper = copyMetadata(method, counting(method));
  return Object.defineProperty(wrapper, 'name', { value: method.name });
});

/** As the decorators of nestjs-cls: a proxy, and all metadata copied. */
const Proxied = wrapping((method) =>
  copyMetadata(
    method,
    new Proxy(method, {
      apply(target, self, args) {
        runs.wrapper++;
        return Reflect.apply(target, self, args);
      },
    }),
  ),
);

/** Answers every call but the first from its cache. */
export const Cached = wrapping((method) => {
  let cache: { value: unknown } | undefined;
  return copyMetadata(method, function (...args) {
    runs.wrapper++;
    cache ??= { value: method.apply(this, args) };
    return cache.value;
  });
});

/** The real one of nestjs-cls; it needs a ClsModule in the application. */
const Cls = UseCls({ setup: () => void runs.wrapper++ }) as MethodDecorator;

/** A property that binds the method when it is read, as `@Bind()` decorators do. */
export const Bound: MethodDecorator = (_target, _key, descriptor) => {
  const method = descriptor.value as unknown as Method;
  const bound: TypedPropertyDescriptor<Method> = {
    configurable: true,
    get() {
      return counting(method).bind(this);
    },
  };
  return bound as never;
};

export interface Wrapper {
  readonly name: string;
  readonly decorator: MethodDecorator;
  readonly copies: boolean;
}

const wrapper = (name: string, decorator: MethodDecorator, copies: boolean): Wrapper => ({
  name,
  decorator,
  copies,
});

export const NAIVE = wrapper('@Naive', Naive, false);
export const COPYING = wrapper('@Copying', Copying, true);
export const PROXIED = wrapper('@Proxied', Proxied, true);

export const WRAPPERS = [
  NAIVE,
  wrapper('@NaiveDescriptor', NaiveDescriptor, false),
  wrapper('@BareProxy', BareProxy, false),
  COPYING,
  PROXIED,
  wrapper('@Cached', Cached, true),
  wrapper('@UseCls', Cls, true),
];
