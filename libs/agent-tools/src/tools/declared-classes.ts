/**
 * The prototypes with a `@Tool()` that this process knows, so that a class which no module provides can
 * be told. Held weakly: classes of tests and of reloaded modules come and go.
 */
const prototypes = new Set<WeakRef<object>>();

export function rememberDeclared(prototype: object): void {
  prototypes.add(new WeakRef(prototype));
}

export function declaredPrototypes(): object[] {
  const alive: object[] = [];
  for (const reference of prototypes) {
    const prototype = reference.deref();
    if (prototype) alive.push(prototype);
    else prototypes.delete(reference);
  }
  return alive;
}
