import { Injectable, type Type } from '@nestjs/common';
import {
  ToolRetryException,
  type SharedToolPolicy,
  type ToolCallResult,
  type ToolOptions,
  type ToolPolicy,
  type ToolResultConverter,
} from 'nestjs-agent-tools';
import { aborted, sleep } from '../../loop/support/time.js';
import type { Work } from './tool-of.js';

/** Who may say how a call is treated, the nearest first. */
export const LAYERS = ['run', 'tool', 'agent', 'module'] as const;
export type Layer = (typeof LAYERS)[number];

/** One call of a kind, and what shows whose word counted. */
export interface PolicyCase {
  readonly option: keyof SharedToolPolicy;
  /** What a layer says; for options with few values, what those behind the nearest say is another. */
  say(layer: Layer, isNearest: boolean): SharedToolPolicy;
  /** What is seen if this layer is the nearest that says something. */
  expected(nearest: Layer | undefined): unknown;
  readonly tool?: Pick<ToolOptions, 'effect'>;
  readonly work: Work;
  readonly arguments?: unknown;
  readonly calledName?: string;
  readonly calls?: number;
  /** How many turns of the model make the call. */
  readonly turns?: number;
  /** What shows it; the count is that of the method's runs. */
  see(results: readonly ToolCallResult[], count: number, finishReason?: string): unknown;
  readonly isForAgentsOnly?: boolean;
}

const textOf = ([{ content }]: readonly ToolCallResult[]) => content as string;

/** For options whose every layer can say something of its own. */
function distinct<Option extends keyof SharedToolPolicy>(
  option: Option,
  values: Record<Layer, SharedToolPolicy[Option]>,
): Pick<PolicyCase, 'option' | 'say'> {
  return { option, say: (layer) => ({ [option]: values[layer] }) };
}

/** For options with two values. */
function either<Option extends keyof ToolPolicy>(
  option: Option,
  value: ToolPolicy[Option],
  other: ToolPolicy[Option],
  ofDefault: ToolPolicy[Option],
): Pick<PolicyCase, 'option' | 'say' | 'expected'> {
  return {
    option,
    say: (_layer, isNearest) => ({ [option]: isNearest ? value : other }),
    expected: (nearest) => (nearest ? value : ofDefault),
  };
}

function converterThatSays(text: string): Type<ToolResultConverter> {
  @Injectable()
  class SayingConverter implements ToolResultConverter {
    convert() {
      return text;
    }
  }
  return SayingConverter;
}

const eachLayer = <T>(make: (layer: Layer) => T): Record<Layer, T> => ({
  run: make('run'),
  tool: make('tool'),
  agent: make('agent'),
  module: make('module'),
});

/** Works on for so long that no timeout here is missed, even on a busy machine. */
const untilAborted = (signal: AbortSignal): Promise<string> =>
  Promise.race([sleep(200).then(() => 'done'), aborted(signal).then(() => 'aborted')]);

let mostAtOnce = 0;
let atOnce = 0;
async function meet() {
  mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  await sleep(2);
  atOnce--;
}

function fail(): never {
  throw new Error('because');
}

const RETRIES = { run: 1, tool: 2, agent: 3, module: 4 };
const CORRECTIONS = { run: 0, tool: 1, agent: 2, module: 4 };
const LENGTHS = { run: 11, tool: 12, agent: 13, module: 14 };

let askedBy: string | undefined;

export const CASES: readonly PolicyCase[] = [
  {
    ...distinct('timeout', { run: 11, tool: 12, agent: 13, module: 14 }),
    work: (_input, { signal }) => untilAborted(signal),
    see: (results) => /\d+/.exec(textOf(results))?.[0],
    expected: (nearest) => nearest && String({ run: 11, tool: 12, agent: 13, module: 14 }[nearest]),
  },
  {
    ...distinct(
      'retry',
      eachLayer((layer) => ({ times: RETRIES[layer], delay: 0 })),
    ),
    tool: { effect: 'read' },
    work: fail,
    see: (_results, count) => count,
    expected: (nearest) => (nearest ? RETRIES[nearest] + 1 : 1),
  },
  ...[true, false].map((value): PolicyCase => ({
    ...either('parallel', value, !value, true),
    work: meet,
    calls: 2,
    see: () => {
      const isParallel = mostAtOnce === 2;
      mostAtOnce = 0;
      return isParallel;
    },
    isForAgentsOnly: true,
  })),
  ...[true, false].map((value): PolicyCase => ({
    ...either('returnDirect', value, !value, false),
    work: () => 'done',
    see: (_results, _count, finishReason) => finishReason === 'return-direct',
    isForAgentsOnly: true,
  })),
  {
    ...distinct('maxResultLength', LENGTHS),
    work: () => 'x'.repeat(50),
    see: (results) => /^x*/.exec(textOf(results))?.[0].length,
    expected: (nearest) => (nearest ? LENGTHS[nearest] : 50),
  },
  {
    ...distinct('resultConverter', eachLayer(converterThatSays)),
    work: () => 'itself',
    see: textOf,
    expected: (nearest) => nearest ?? 'itself',
  },
  ...(['message', 'id'] as const).map((value): PolicyCase => ({
    ...either('errors', value, value === 'id' ? 'message' : 'id', 'id'),
    work: fail,
    see: (results) => (textOf(results) === 'because' ? 'message' : 'id'),
  })),
  {
    ...distinct(
      'approve',
      eachLayer((layer) => () => {
        askedBy = layer;
        return true;
      }),
    ),
    tool: { effect: 'destructive' },
    work: () => 'done',
    see: () => {
      const asked = askedBy;
      askedBy = undefined;
      return asked;
    },
    expected: (nearest) => nearest,
  },
  {
    ...distinct('maxCorrections', CORRECTIONS),
    work: () => {
      throw new ToolRetryException('Another way.');
    },
    turns: 7,
    see: (_results, count) => count,
    expected: (nearest) => (nearest ? CORRECTIONS[nearest] : 3) + 1,
    isForAgentsOnly: true,
  },
  {
    ...distinct(
      'onArgumentsError',
      eachLayer((layer) => () => layer),
    ),
    arguments: { n: 'many' },
    work: () => 'done',
    see: (results) => (textOf(results).includes('many') ? undefined : textOf(results)),
    expected: (nearest) => nearest,
  },
  {
    ...distinct(
      'onExecutionError',
      eachLayer((layer) => () => layer),
    ),
    work: fail,
    see: (results) => (textOf(results).includes('unexpectedly') ? undefined : textOf(results)),
    expected: (nearest) => nearest,
  },
  {
    ...distinct(
      'onUnknownTool',
      eachLayer((layer) => () => layer),
    ),
    calledName: 'toil',
    work: () => 'done',
    see: (results) => (textOf(results).includes('no tool') ? undefined : textOf(results)),
    expected: (nearest) => nearest,
  },
];
