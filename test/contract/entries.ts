/** The numbers of the entries of the contract of the loop that concern models, by part. */
export const ENTRIES: Readonly<Record<string, readonly number[]>> = {
  'streaming-assembly': [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15],
  arguments: [17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31],
  'names-and-ids': [32, 33, 34, 35, 36, 37, 39, 40, 41],
  'refused-schemas': [64, 65, 66, 67, 68, 69, 70, 71, 72, 73],
  usage: [91, 92],
  'reasoning-blocks': [94, 95, 96],
};
