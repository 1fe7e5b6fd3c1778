const NEST_11 = new URL('../../test/nest-11/package.json', import.meta.url).href;
/** rxjs and reflect-metadata as well: Nest 11 finds its own, and there must be one copy for all. */
const FROM_NEST_11 = /^(@nestjs\/|rxjs$|rxjs\/|reflect-metadata$)/;

export function resolve(specifier, context, nextResolve) {
  if (!FROM_NEST_11.test(specifier)) return nextResolve(specifier, context);
  return nextResolve(specifier, { ...context, parentURL: NEST_11 });
}
