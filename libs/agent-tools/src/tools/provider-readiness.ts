import type { ProviderWrapper } from './interfaces/discovered-tool.interface.js';

type Module = NonNullable<ProviderWrapper['host']>;

/** For a static provider, Nest answers any context with the one instance. */
const PROBE = { id: 0 };

/**
 * Whether all of a module was constructed. While it is not (a lazily loaded module, an asynchronous
 * factory at boot), its classes are not known for sure and its guards are placeholders whose
 * constructors have not run.
 */
export function isModuleReady(module: Module): boolean {
  return [...module.providers.values(), ...module.injectables.values()].every(isReady);
}

function isReady(wrapper: ProviderWrapper): boolean {
  if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) return true;
  return wrapper.getInstanceByContextId(PROBE).isResolved === true;
}
