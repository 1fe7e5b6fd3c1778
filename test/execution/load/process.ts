/** A process of its own that puts applications under load and reports what is left of it. */
import 'reflect-metadata';
import { ContextIdFactory, type ContextIdStrategy } from '@nestjs/core';
import { createApp } from '../../support/app.js';
import { drive, inTurn } from './drive.js';
import { Tally } from './enhancers.js';
import { footprintOf } from './footprint.js';
import type { Report } from './report.js';
import { SCENARIOS, type Scenario } from './scenarios.js';

async function measure({
  providers,
  way = inTurn,
  warmUp = 300,
  calls = 600,
  optionsOf = () => ({ request: {} }),
  strategy,
}: Scenario): Promise<Report> {
  ContextIdFactory.apply(strategy as ContextIdStrategy);
  const app = await createApp({ providers: [Tally, ...providers] });
  const tally = app.get(Tally);
  await drive(way, app, warmUp, warmUp, optionsOf);
  const early = tally.all();
  const before = await footprintOf(app);
  const statuses = await drive(way, app, calls, warmUp, optionsOf);
  const after = await footprintOf(app);
  await app.close();
  const total = tally.all();
  const added = Object.entries(total).map(([what, count]) => [what, count - (early[what] ?? 0)]);
  const counts = Object.fromEntries(added) as Report['counts'];
  return { statuses, counts, total, most: tally.highest(), before, after };
}

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  process.send?.({ name, report: await measure(scenario) });
}
process.disconnect?.();
