import { startApplication, type GlobalParts, type Part, type RunningApp } from './application.js';
import { GLOBAL_GROUPS, LOCAL_GROUPS, type MatrixCase } from './cases.js';
import { expectationOf, withoutIncidentals } from './expectation.js';
import { createParts, type HostParts } from './hosts.js';
import { observe, type Observation } from './observation.js';
import { Probe } from './probe.js';

/** What a case showed, beside what it should. */
export interface Outcome {
  readonly case: MatrixCase;
  /** One for each tool of the case, or the error with which the application did not start. */
  readonly observed: readonly Observation[] | { readonly bootError: string };
  readonly expected: readonly Observation[];
}

interface PreparedCase extends Part {
  readonly case: MatrixCase;
}

const outcomesByGroup = new Map<readonly MatrixCase[], Promise<Outcome[]>>();

/** The outcome of a case; its group runs once, whoever asks. */
export async function outcomeOf(one: MatrixCase, group: readonly MatrixCase[]): Promise<Outcome> {
  return (await outcomesOf(group))[group.indexOf(one)];
}

/** One group after the other: nestjs-cls keeps its proxies in a static place. */
export async function allOutcomes(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const group of [...LOCAL_GROUPS, ...GLOBAL_GROUPS]) {
    outcomes.push(...(await outcomesOf(group)));
  }
  return outcomes;
}

function outcomesOf(group: readonly MatrixCase[]): Promise<Outcome[]> {
  const outcomes = outcomesByGroup.get(group) ?? runGroup(group);
  outcomesByGroup.set(group, outcomes);
  return outcomes;
}

/** In one application, or each case alone if one of them keeps that from starting. */
export async function runGroup(group: readonly MatrixCase[]): Promise<Outcome[]> {
  const globals = globalPartsOf(group[0]);
  const prepared = group.map((one, index) => prepare(one, index, globals));
  let running: RunningApp;
  try {
    running = await startApplication(prepared, globals);
  } catch (error) {
    if (group.length > 1) return runAlone(group);
    const observed = { bootError: (error as Error).message };
    return prepared.map((one) => ({ case: one.case, observed, expected: expectationsOf(one) }));
  }
  try {
    const outcomes: Outcome[] = [];
    for (const one of prepared) outcomes.push(await runCase(running, one));
    return outcomes;
  } finally {
    await running.close();
  }
}

async function runAlone(group: readonly MatrixCase[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of group) outcomes.push(...(await runGroup([one])));
  return outcomes;
}

async function runCase(running: RunningApp, prepared: PreparedCase): Promise<Outcome> {
  const expected = expectationsOf(prepared);
  const observed: Observation[] = [];
  for (const [index, target] of prepared.fixture.targets.entries()) {
    const observation = await observe(running, prepared.case, target);
    observed.push(withoutIncidentals(prepared.case, observation, expected[index]));
  }
  return { case: prepared.case, observed, expected };
}

function expectationsOf(prepared: PreparedCase): Observation[] {
  return prepared.fixture.targets.map((target) => expectationOf(prepared.case, target));
}

function globalPartsOf({ kind, level, scope, registration }: MatrixCase): GlobalParts | undefined {
  if (!registration) return undefined;
  const ofClass = registration.isFactory ? 'singleton' : scope;
  const parts = createParts(new Probe(), [{ kind, level, scope: ofClass }]);
  return { parts, isFactory: registration.isFactory === true };
}

function prepare(one: MatrixCase, index: number, globals: GlobalParts | undefined): PreparedCase {
  const { form, kind, level, scope } = one;
  const parts: HostParts[] = [];
  const create = () => {
    const created = globals?.parts ?? createParts(new Probe(), [{ kind, level, scope }]);
    parts.push(created);
    return created;
  };
  return { case: one, form, fixture: form.build(`tool_${index}`, create), parts };
}
