import { describe, expect, it } from '@jest/globals';
import type { SharedToolPolicy, ToolConcurrency } from 'nestjs-agent-tools';
import type { ScriptedTurn } from 'nestjs-agent-tools/testing';
import { CASES, LAYERS, type Layer, type PolicyCase } from './support/precedence-cases.js';
import { start } from './support/start.js';
import { counting, toolOf } from './support/tool-of.js';

type Said = Partial<Record<Layer, SharedToolPolicy>>;

/** What each of these layers says. */
function sayings(policyCase: PolicyCase, layers: readonly Layer[]): Said {
  return Object.fromEntries(
    layers.map((layer, index) => [layer, policyCase.say(layer, index === 0)]),
  );
}

function subsets(layers: readonly Layer[]): Layer[][] {
  return layers.reduceRight<Layer[][]>(
    (rest, layer) => [...rest, ...rest.map((some) => [layer, ...some])],
    [[]],
  );
}

function startCase({ tool, work }: PolicyCase, said: Said) {
  const counted = counting(work);
  const provider = toolOf({ ...tool, ...said.tool }, counted);
  const setup = {
    providers: [provider],
    module: { toolDefaults: said.module },
    agent: { toolDefaults: said.agent },
  };
  return { counted, starting: start(setup) };
}

async function seenByAgent(policyCase: PolicyCase, said: Said): Promise<unknown> {
  const { arguments: args = {}, calledName = 'work', calls = 1, turns = 1 } = policyCase;
  const { counted, starting } = startCase(policyCase, said);
  const step: ScriptedTurn = Array.from({ length: calls }, () => ({
    tool: calledName,
    arguments: args,
  }));
  const { run } = await starting;
  const { steps, finishReason } = await run(
    [...Array.from({ length: turns }, () => step), 'Done.'],
    { toolOverrides: said.run, limits: { failedSteps: 99 } },
  );
  return policyCase.see(steps[0].toolResults, counted.count, finishReason);
}

async function seenByExecutor(policyCase: PolicyCase, said: Said): Promise<unknown> {
  const { arguments: args = {}, calledName = 'work' } = policyCase;
  const { counted, starting } = startCase(policyCase, said);
  const { call } = await starting;
  return policyCase.see([await call(calledName, args)], counted.count);
}

/** What a tool cannot say: what happens if there is none. */
const layersOf = ({ option }: PolicyCase): readonly Layer[] =>
  option === 'onUnknownTool' ? LAYERS.filter((layer) => layer !== 'tool') : LAYERS;

type Row = [string, string, string, PolicyCase, Layer[]];

function rows(reach: (policyCase: PolicyCase) => readonly Layer[]): Row[] {
  return CASES.flatMap((policyCase) =>
    subsets(reach(policyCase)).map((layers): Row => [
      policyCase.option,
      layers.join(', ') || 'nobody',
      layers[0] ?? 'the default',
      policyCase,
      layers,
    ]),
  );
}

describe('when an agent calls a tool', () => {
  it.each(rows(layersOf))(
    '`%s` said by %s is that of %s',
    async (_option, _who, _nearest, policyCase, layers) => {
      expect(await seenByAgent(policyCase, sayings(policyCase, layers))).toBe(
        policyCase.expected(layers.at(0)),
      );
    },
  );

  it.each(CASES.map((policyCase) => [policyCase.option, policyCase] as const))(
    '`%s` that is undefined is not said',
    async (option, policyCase) => {
      const nothing = { [option]: undefined };
      const said = { run: nothing, tool: nothing, agent: nothing };
      expect(
        await seenByAgent(policyCase, { ...said, module: policyCase.say('module', true) }),
      ).toBe(policyCase.expected('module'));
    },
  );
});

describe('when code calls a tool', () => {
  const forCode = rows((policyCase) =>
    policyCase.isForAgentsOnly
      ? []
      : layersOf(policyCase).filter((layer) => layer === 'tool' || layer === 'module'),
  ).filter(([, , , policyCase]) => !policyCase.isForAgentsOnly);

  it.each(forCode)(
    '`%s` said by %s is that of %s',
    async (_option, _who, _nearest, policyCase, layers) => {
      expect(await seenByExecutor(policyCase, sayings(policyCase, layers))).toBe(
        policyCase.expected(layers.at(0)),
      );
    },
  );

  it('the default agent does not hear what a named one says', async () => {
    const { counted, starting } = startCase(CASES[0], { agent: { timeout: 1 } });
    const { call } = await starting;
    expect((await call('work')).status).toBe('success');
    expect(counted.count).toBe(1);
  });
});

describe('the limit of calls at the same time', () => {
  it.each<[string, ToolConcurrency | undefined, ToolConcurrency | undefined, number]>([
    ['the tool, before the module', 2, 1, 2],
    ['the module, if the tool says nothing', undefined, 3, 3],
    ['nobody, then there is none', undefined, undefined, 5],
  ])('is that of %s', async (_who, ofTool, ofModule, most) => {
    let running = 0;
    let highest = 0;
    const provider = toolOf({ concurrency: ofTool }, async () => {
      highest = Math.max(highest, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
    });
    const { call } = await start({
      providers: [provider],
      module: { toolDefaults: { concurrency: ofModule } },
    });
    const results = await Promise.all(Array.from({ length: 5 }, () => call('work')));
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('success'));
    expect(highest).toBe(most);
  });
});
