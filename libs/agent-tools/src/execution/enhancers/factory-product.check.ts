import type { Type } from '@nestjs/common';
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
 * What a request-scoped factory makes is not known at boot, only the class that is its token. An
 * instance of another class may carry enhancers, or metadata by which guards decide, that were never
 * looked at: it is refused.
 */
export class FactoryProductCheck {
  private readonly accepted = new WeakSet<object>();

  constructor(
    private readonly tool: DiscoveredTool,
    private readonly accessor: ToolMetadataAccessor,
  ) {}

  /**
   * Returns the instance.
   *
   * @throws Error if its class declares what the class of the token does not
   */
  accept(instance: object): object {
    const prototype = Object.getPrototypeOf(instance) as object | null;
    if (!prototype || this.accepted.has(prototype)) return instance;
    const { hostClass } = this.tool;
    let one: object | null = prototype;
    while (one && one !== Object.prototype && one !== hostClass.prototype) {
      this.refuseOwn(one, prototype);
      one = Object.getPrototypeOf(one) as object | null;
    }
    this.accepted.add(prototype);
    return instance;
  }

  private refuseOwn(prototype: object, actual: object): void {
    const { methodName, hostClass } = this.tool;
    // An object that inherits from an instance has no class of its own.
    const ownClass: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof ownClass !== 'function') return;
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, methodName)?.value;
    const carriers =
      typeof method === 'function' ? [prototype.constructor, method] : [prototype.constructor];
    const keys = carriers.flatMap((carrier) => this.accessor.getDecoratorKeys(carrier));
    const isRedeclared =
      this.accessor.getOwnDeclarations(prototype).has(methodName) ||
      this.accessor.getParameterEntries(prototype.constructor, methodName).length > 0;
    if (!isRedeclared && keys.every((key) => INJECTION_KEYS.has(key))) return;
    const { name } = actual.constructor as Type;
    throw new Error(
      `The factory of "${hostClass.name}" returned an instance of "${name}", which has decorators of its ` +
        `own that were not looked at. Provide it under the token "${name}".`,
    );
  }
}
