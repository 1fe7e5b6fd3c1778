import { budgetLine } from '../lib/budget-line.mjs';
import { microseconds } from '../lib/formats.mjs';
import { loadModule } from '../lib/library.mjs';
import { timePerRun } from '../lib/measure.mjs';
import { createZodSchema, FIVE_FIELDS, JSON_SCHEMA } from '../fixtures/five-fields.mjs';

const SIDES = {
  ours: async () => ({
    zod: await createReader(createZodSchema()),
    raw: await createReader(JSON_SCHEMA),
  }),
  /** What one would write by hand: no repair, no coercion, no message for the model. */
  floor: async () => {
    const schema = createZodSchema();
    return { zod: () => schema.parse(JSON.parse(FIVE_FIELDS)) };
  },
};

/** From the text of the model to validated arguments, through the parts that a call runs through. */
async function createReader(source) {
  const [{ createSchema }, { ArgumentsReader }, { InputValidator }] = await Promise.all([
    loadModule('agent-tools/schemas/tool-schema.factory.js'),
    loadModule('agent-tools/arguments/arguments.reader.js'),
    loadModule('agent-tools/arguments/input.validator.js'),
  ]);
  const schema = createSchema(source);
  const reader = new ArgumentsReader(['order'], schema.jsonSchema);
  const validator = new InputValidator('order', schema);
  return () => validator.validate(reader.read(FIVE_FIELDS).input);
}

/** Valid arguments of five fields, parsed, coerced and validated: by zod, and by a raw JSON Schema. */
export default {
  name: 'arguments',
  sides: ['ours', 'floor'],
  rounds: 15,
  quickRounds: 7,
  warmUps: 5,

  async prepare(side) {
    const { zod, raw } = await SIDES[side]();
    for (const run of [zod, raw].filter(Boolean)) {
      if (run().address.city !== 'Rome') throw new Error(`${side} does not read the arguments`);
    }
    return async () => ({
      zod: 1_000 * (await timePerRun(zod, 100)),
      ...(raw && { raw: 1_000 * (await timePerRun(raw, 100)) }),
    });
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'arguments of 5 fields, zod',
      key: 'zod',
      better: 'less',
      format: microseconds,
      budgets: [{ against: 'floor', limit: 2, gate: 3 }],
    }),
    budgetLine(
      { ours: results.ours },
      {
        work: 'arguments of 5 fields, raw JSON Schema',
        key: 'raw',
        better: 'less',
        format: microseconds,
        budgets: [{ limit: 5, gate: 15 }],
      },
    ),
  ],
};
