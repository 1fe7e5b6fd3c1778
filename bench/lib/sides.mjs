import { checkEnhancers } from '../fixtures/enhancers.mjs';

/** Column, and the module in `sides/`. */
export const SIDES = {
  ours: 'ours',
  floor: 'floor',
  ai: 'ai',
  '@openai/agents': 'openai-agents',
  langchain: 'langchain',
};

export const OTHERS = ['ai', '@openai/agents', 'langchain'];

export const hasEnhancers = (side) => side === 'ours' || side === 'floor';

/** Only in the process of a side, as its module loads the library. */
export const loadSide = (side) => import(`../sides/${SIDES[side]}.mjs`);

/** Makes sure, where a side has enhancers, that all of them run. */
export async function prove(side, run) {
  await run();
  if (hasEnhancers(side)) checkEnhancers();
}
