/** What thousands of calls leave behind: nothing. They are made in a process of their own. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runScenarios, type Report } from './load/report.js';

let reports: ReadonlyMap<string, Report>;
beforeAll(async () => {
  reports = await runScenarios();
}, 120_000);

function reportOf(name: string): Report {
  const report = reports.get(name);
  if (!report) throw new Error(`There is no report of "${name}".`);
  return report;
}

/** In the process under load, 5 % are some 1.2 MB. */
function expectNothingLeft({ before, after }: Report): void {
  const { heap, ...container } = after;
  const { heap: heapBefore, ...containerBefore } = before;
  expect(container).toEqual(containerBefore);
  expect(heap / heapBefore).toBeLessThan(1.05);
}

/** Each enhancer and the method ran in every attempt, and what is request-scoped was made for every call. */
function expectAllRan({ counts }: Report, calls: number, attempts = calls): void {
  expect(counts).toMatchObject({
    guard: attempts,
    interceptor: attempts,
    pipe: attempts,
    method: attempts,
    'guard instance': calls,
    'host instance': calls,
  });
  expect(counts['interceptor instance']).toBeGreaterThanOrEqual(calls);
}

describe('when a request-scoped tool with a request-scoped, a transient and a static enhancer', () => {
  it.each([
    ['is called 10,000 times by ToolExecutor', 'executor'],
    ['is called in 10,000 runs of an agent', 'agent'],
  ])('%s, nothing is left of the calls', (_title, name) => {
    const report = reportOf(name);
    expect(report.statuses).toEqual({ success: 10_000 });
    expectAllRan(report, 10_000);
    expectNothingLeft(report);
  });
});

describe('when 600 calls, by ToolExecutor and by an agent in turn,', () => {
  it.each([
    ['go to a host from a factory', 'factory'],
    ['have enhancers with transient dependencies', 'transient dependencies'],
    ['have them on a host from a factory', 'transient dependencies of a factory'],
    ['stream', 'streams'],
  ])('%s, nothing is left of them', (_title, name) => {
    const report = reportOf(name);
    expect(report.statuses).toEqual({ success: 600 });
    expectAllRan(report, 600);
    expectNothingLeft(report);
  });

  it('have enhancers with transient dependencies, those are made for each call', () => {
    for (const name of ['transient dependencies', 'transient dependencies of a factory']) {
      expect(reportOf(name).counts.notes).toBeGreaterThanOrEqual(1_200);
    }
  });

  it('are repeated once, nothing is left of them', () => {
    const report = reportOf('retry');
    expect(report.statuses).toEqual({ success: 600 });
    expectAllRan(report, 600, 1_200);
    expectNothingLeft(report);
  });

  it('wait for one of 10 places, nothing is left of them, and there are no more places', () => {
    const report = reportOf('gate');
    expect(report.statuses).toEqual({ success: 600 });
    expectAllRan(report, 600);
    expect(report.most['at once']).toBe(10);
    expectNothingLeft(report);
  });

  it('share a signal, no listener is left on it', () => {
    const report = reportOf('signal');
    expect(report.statuses).toEqual({ success: 600 });
    expect(report.most.listeners).toBe(100);
    expect(report.after.listeners).toBe(0);
    expectAllRan(report, 600);
    expectNothingLeft(report);
  });

  it('time out, nothing is left of them', () => {
    const report = reportOf('timeout');
    expect(report.statuses).toEqual({ error: 600 });
    expectAllRan(report, 600);
    expectNothingLeft(report);
  });

  it('are denied or fail, nothing is left of them', () => {
    const report = reportOf('failures');
    expect(report.statuses).toEqual({ denied: 300, error: 300 });
    expect(report.counts).toMatchObject({ guard: 600, method: 300, 'host instance': 600 });
    expectNothingLeft(report);
  });
});

describe('when 600 calls of a durable tool come from three tenants', () => {
  it('there are three hosts and three guards, made in the warm-up, and nothing else is left', () => {
    const report = reportOf('durable');
    expect(report.statuses).toEqual({ success: 600 });
    expect(report.counts).toMatchObject({ method: 600, guard: 600 });
    expect(report.counts).toMatchObject({ 'host instance': 0, 'guard instance': 0 });
    expect(report.total).toMatchObject({ 'host instance': 3, 'guard instance': 3 });
    expectNothingLeft(report);
  });
});

describe('when a tool keeps its calls', () => {
  it('the heap shows it', () => {
    const { before, after } = reportOf('leak');
    expect(after.heap / before.heap).toBeGreaterThan(1.1);
  });
});
