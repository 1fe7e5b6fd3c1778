import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/compile.js';
import { ENTRIES } from './entries.js';

const FOLDER = resolve(ROOT, 'test/contract');
const SPECS = readdirSync(FOLDER).filter((name) => name.endsWith('.spec.ts'));

/** The numbers with which the titles of the tests of a part begin. */
function testedIn(part: string): Set<number> {
  const texts = SPECS.filter((name) => name.startsWith(`${part}.`)).map((name) =>
    readFileSync(resolve(FOLDER, name), 'utf8'),
  );
  const titles = texts.join('\n').matchAll(/(?:\bit|\)|\])\(\s*['"`](\d+): /g);
  return new Set(Array.from(titles, ([, number]) => Number(number)));
}

describe('the contract of the loop', () => {
  it.each(Object.entries(ENTRIES))('has a test for each entry about %s', (part, numbers) => {
    expect([...testedIn(part)].toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('knows the part of every spec', () => {
    const parts = new Set(SPECS.map((name) => name.split('.')[0]));
    expect([...parts].toSorted()).toEqual([...Object.keys(ENTRIES), 'entries'].toSorted());
  });
});
