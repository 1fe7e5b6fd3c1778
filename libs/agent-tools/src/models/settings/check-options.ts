/**
 * A configuration that nothing has typed may give nothing, or only a name.
 *
 * @param factory What was given them, for the exception.
 * @throws TypeError that shows what is needed
 * @publicApi
 */
export function checkOptions(factory: string, options: unknown): void {
  if (options !== null && typeof options === 'object') return;
  const model = typeof options === 'string' ? options : '…';
  throw new TypeError(
    `${factory}() needs an object of options: ${factory}({ model: ${JSON.stringify(model)} }).`,
  );
}
