/**
 * Every way of registering a host, with every kind and scope of enhancer at every level, each with
 * modules, classes and dependencies of its own: what Nest drops shows only where nothing is shared.
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger, Scope } from '@nestjs/common';
import { Tool } from 'nestjs-agent-tools';
import { bootError, compileApp, moduleOf } from '../support/app.js';
import { GLOBAL_GROUPS, LOCAL_GROUPS, titleOf } from './matrix/cases.js';
import { FAULTY_CASES } from './matrix/faults.js';
import { FORMS, type HostForm } from './matrix/forms.js';
import { allOutcomes, outcomeOf, runGroup } from './matrix/runner.js';
import { describeMatrix, toMarkdown } from './matrix/table.js';
import { ARRANGEMENTS, compareAll, type Comparison } from './matrix/together.js';

// The first test of a group runs the whole group.
jest.setTimeout(60_000);

describe.each(LOCAL_GROUPS.map((group) => [group[0].form.title, group] as const))(
  'when an enhancer stands on %s',
  (_title, group) => {
    it.each(group.map((one) => [titleOf(one), one] as const))(
      'runs it once per call (%s)',
      async (_name, one) => {
        const { observed, expected } = await outcomeOf(one, group);
        expect(observed).toEqual(expected);
      },
    );
  },
);

describe.each(GLOBAL_GROUPS.map((group) => [titleOf(group[0]), group] as const))(
  'when the application has a global enhancer (%s)',
  (_title, group) => {
    it.each(group.map((one) => [one.form.title, one] as const))(
      'runs it once per call if the host is %s',
      async (_name, one) => {
        const { observed, expected } = await outcomeOf(one, group);
        expect(observed).toEqual(expected);
      },
    );
  },
);

describe.each(ARRANGEMENTS.map((arrangement) => [arrangement.title, arrangement] as const))(
  'when enhancers of all kinds stand at all levels, %s',
  (_title, arrangement) => {
    let comparisons: ReadonlyMap<HostForm, Comparison>;
    beforeAll(async () => {
      comparisons = await compareAll(arrangement);
    });

    it.each(FORMS.map((form) => [form.title, form] as const))(
      "runs them in Nest's order if the host is %s",
      (_form, form) => {
        const comparison = comparisons.get(form);
        expect(comparison?.observed).toEqual(comparison?.expected);
        expect(comparison?.observed).not.toHaveLength(0);
      },
    );
  },
);

describe('when a host cannot be found', () => {
  class Hidden {
    @Tool('Anything.')
    hidden() {}
  }

  it('warns of a request-scoped factory under a string, by its token', async () => {
    const app = await compileApp({
      providers: [
        { provide: 'HIDDEN_TOOLS', scope: Scope.REQUEST, useFactory: () => new Hidden() },
      ],
    });
    const warnings: unknown[][] = [];
    const record = (...args: unknown[]) => void warnings.push(args);
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: record });
    try {
      await app.init();
    } finally {
      Logger.overrideLogger(false);
      await app.close();
    }
    expect(warnings).toContainEqual([expect.stringContaining('HIDDEN_TOOLS'), 'AgentTools']);
  });
});

describe('when one class stands in two modules', () => {
  it('does not start, and says what to do', async () => {
    class Twice {
      @Tool('Anything.')
      twice() {}
    }
    const imports = [moduleOf({ providers: [Twice] }), moduleOf({ providers: [Twice] })];
    expect(await bootError({ imports })).toContain('Provide the class in one module only');
  });
});

describe('when an enhancer does not run as it should', () => {
  it.each(FAULTY_CASES.map((one) => [one.kind, one.form.title, one] as const))(
    'the matrix notices it (a %s that %s)',
    async (kind, _fault, one) => {
      const [{ cells }] = describeMatrix(await runGroup([one]));
      expect(cells.singleton).toContain(`method ${kind}: 0.`);
    },
  );
});

describe('the table in docs/enhancers.md', () => {
  it('is what was measured here', async () => {
    const page = await readFile(new URL('../../docs/enhancers.md', import.meta.url), 'utf8');
    const table = toMarkdown(describeMatrix(await allOutcomes()));
    const [, documented] = /<!-- matrix -->\n+([\s\S]*?)\n+<!-- \/matrix -->/.exec(page) ?? [];
    expect(documented).toBe(table);
  });
});
