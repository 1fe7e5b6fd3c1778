import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/compile.js';
import { ENTRIES } from './entries.js';

describe('the contract of the loop', () => {
  it.each(Object.entries(ENTRIES))('has a test for each entry about %s', (part, numbers) => {
    const text = readFileSync(resolve(ROOT, `test/contract/${part}.spec.ts`), 'utf8');
    // Titles begin with the number of their entry.
    const tested = [
      ...text.matchAll(/^ *['"`](\d+): |\bit\(['"`](\d+): |\]\)\(['"`](\d+): /gm),
    ].map(([, ...numbers]) => Number(numbers.find(Boolean)));
    expect([...new Set(tested)].toSorted((a, b) => a - b)).toEqual(numbers);
  });
});
