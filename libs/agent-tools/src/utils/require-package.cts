/**
 * CommonJS has a `require` by itself. An ES module makes one from `import.meta`, which nothing can
 * compile for a Jest that turns this package into CommonJS, as that of a Nest 11 application does.
 */
export function requirePackage(specifier: string): unknown {
  return require(specifier);
}
