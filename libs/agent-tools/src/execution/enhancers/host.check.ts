import type { DiscoveredTool } from '../../tools/interfaces/discovered-tool.interface.js';
import type { ToolMetadataAccessor } from '../../tools/tool-metadata.accessor.js';

/** What `@Injectable()`, `@Inject()` and the compiler leave on a class says nothing about its methods. */
const INJECTION_KEYS: ReadonlySet<unknown> = new Set([
  '__injectable__',
  'scope:options',
  'self:paramtypes',
  'self:properties_metadata',
  'optional:paramtypes',
  'optional:properties_metadata',
]);

/**
 * What a factory, a value or a proxy is in truth may show only when it is called. An instance of another
 * class, or another method, may carry enhancers, or metadata by which guards decide, that were never
 * looked at: the call is refused.
 */
export class HostCheck {
  private readonly accepted = new WeakSet<object>();

  constructor(
    private readonly tool: DiscoveredTool,
    private readonly accessor: ToolMetadataAccessor,
  ) {}

  /**
   * @throws Error if the method, or the class of the host, says more than what was looked at
   */
  accept(host: object, method: unknown): void {
    const { handler, wrapper } = this.tool;
    if (wrapper?.isNotMetatype) this.acceptClass(host);
    if (method === handler || typeof method !== 'function' || this.accepted.has(method)) return;
    if (this.hasUnknownMetadata(method)) this.refuseMethod();
    this.accepted.add(method);
  }

  /** Of a proxy, its constructor is that of the instance behind it. */
  private acceptClass(host: object): void {
    const { hostClass } = this.tool;
    const actual: unknown = host.constructor;
    if (actual === hostClass || actual === Object || typeof actual !== 'function') return;
    if (this.accepted.has(actual)) return;
    let one: object | null = actual.prototype;
    while (one && one !== Object.prototype && one !== hostClass.prototype) {
      if (this.saysMore(one)) this.refuseClass(actual.name);
      one = Object.getPrototypeOf(one) as object | null;
    }
    this.accepted.add(actual);
  }

  /** Whether one class, or its method, declares what was not looked at. */
  private saysMore(prototype: object): boolean {
    const { methodName } = this.tool;
    const { constructor } = prototype;
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, methodName)?.value;
    return (
      this.hasUnknownMetadata(constructor) ||
      (typeof method === 'function' && this.hasUnknownMetadata(method)) ||
      this.accessor.getOwnDeclarations(prototype).has(methodName) ||
      this.accessor.getParameterEntries(constructor, methodName).length > 0
    );
  }

  /** A wrapper that copies metadata has the same as the method that was looked at. */
  private hasUnknownMetadata(carrier: object): boolean {
    const { handler, hostClass } = this.tool;
    return this.accessor.getDecoratorKeys(carrier).some((key) => {
      if (INJECTION_KEYS.has(key)) return false;
      const value = this.accessor.getMetadata(key, carrier);
      const isKnown = [handler, hostClass].some((known) =>
        isSame(value, this.accessor.getMetadata(key, known)),
      );
      return !isKnown;
    });
  }

  private refuseClass(name: string): never {
    throw new Error(
      `The provider of "${this.tool.hostClass.name}" is an instance of "${name}", which has decorators of its own ` +
        `that were not looked at. Provide it under the token "${name}".`,
    );
  }

  private refuseMethod(): never {
    const { hostClass, methodName } = this.tool;
    throw new Error(
      `"${String(methodName)}" of the provider of "${hostClass.name}" is another method, with decorators of its ` +
        'own that were not looked at. Provide it under the token of its own class.',
    );
  }
}

/** Enhancers stand in a list, which a wrapper may have copied. */
function isSame(value: unknown, known: unknown): boolean {
  if (value === known) return true;
  return (
    Array.isArray(value) &&
    Array.isArray(known) &&
    value.length <= known.length &&
    value.every((item) => known.includes(item))
  );
}
