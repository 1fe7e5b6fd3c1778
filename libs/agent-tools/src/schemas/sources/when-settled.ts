import { isThenable } from '../../utils/is-thenable.js';

/** Hands several results on at once, or when they are there if one of them is a promise. */
export function whenSettled<Result, Collected>(
  results: readonly (Result | Promise<Result>)[],
  collect: (settled: readonly Result[]) => Collected,
): Collected | Promise<Collected> {
  if (!results.some(isThenable)) return collect(results as readonly Result[]);
  return Promise.all(results.map(async (result) => result)).then(collect);
}
