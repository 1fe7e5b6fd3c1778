const GENERATION = /(?:^|\/)gemini-(\d+)/;
const LATEST = /(?:^|\/)gemini-.*latest$/;

/** The `3` of `gemini-3-flash`. What is named "latest" is newer than all. 0 for other models. */
function generationOf(model: string): number {
  const generation = GENERATION.exec(model)?.[1];
  if (generation) return Number(generation);
  return LATEST.test(model) ? Infinity : 0;
}

/** From Gemini 3 on, calls of the current turn need signatures, and results can hold images. */
export function isFromGemini3(model: string): boolean {
  return generationOf(model) >= 3;
}

/** Models before Gemini 3 know budgets of thinking only, and no levels. */
export function hasThinkingLevels(model: string): boolean {
  const generation = generationOf(model);
  return generation === 0 || generation >= 3;
}
