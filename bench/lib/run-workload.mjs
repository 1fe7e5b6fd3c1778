import { median } from './measure.mjs';
import { SideProcess } from './side-process.mjs';

/** A short run leaves out the other libraries, but not those of the providers. */
const QUICK_SIDES = new Set(['ours', 'floor', 'plain', 'official']);

/**
 * Measures all sides of a workload in turn, round by round, so that a slow minute of the machine
 * meets all of them. A side has one process for all its rounds, or a fresh one for each.
 *
 * @returns for each side, its medians and its rounds
 */
export async function runWorkload(workload, { isQuick, progress }) {
  const sides = workload.sides.filter((side) => !isQuick || QUICK_SIDES.has(side));
  const rounds = isQuick ? workload.quickRounds : workload.rounds;
  const measureRound = workload.isFresh ? measureFresh : await startAll(workload, sides, isQuick);
  const results = Object.fromEntries(sides.map((side) => [side, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      // To and fro, so that no side always follows the same one.
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        progress(`${workload.name}: round ${round} of ${rounds}, ${side}`);
        results[side].push(await measureRound(side, workload, isQuick));
      }
    }
  } finally {
    await measureRound.stop?.();
  }
  return Object.fromEntries(sides.map((side) => [side, summarize(results[side])]));
}

async function startAll(workload, sides, isQuick) {
  const processes = new Map();
  const measureRound = (side) => processes.get(side).measure();
  measureRound.stop = () => Promise.all([...processes.values()].map((process) => process.stop()));
  try {
    // One after the other: two that warm up at once would disturb each other.
    for (const side of sides) {
      processes.set(side, new SideProcess(workload, side, isQuick));
      await processes.get(side).ready();
    }
  } catch (error) {
    await measureRound.stop();
    throw error;
  }
  return measureRound;
}

async function measureFresh(side, workload, isQuick) {
  const process = new SideProcess(workload, side, isQuick);
  try {
    await process.ready();
    return await process.measure();
  } finally {
    await process.stop();
  }
}

function summarize(rounds) {
  const keys = Object.keys(rounds[0]);
  const medians = keys.map((key) => [key, median(rounds.map((values) => values[key]))]);
  return { median: Object.fromEntries(medians), rounds };
}
