/** What the runtime of tools does, each thing once, as an application uses it: calls at the same time. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent-tools';
import { gate, idle } from '../loop/support/time.js';
import { readings, recorded, start } from './support/start.js';

@Injectable()
class LaneTools {
  readonly log: string[] = [];
  readonly begun = gate();
  readonly door = gate();
  private readonly ended = [gate(), gate(), gate()];

  @Tool('Reads; the last ends first.')
  async read(@ToolParam('n') n: number) {
    this.log.push(`read ${n}`);
    await this.ended.at(n + 1)?.opened;
    this.log.push(`read ${n} ended`);
    this.ended[n].open();
    return n;
  }

  @Tool({ description: 'Writes, alone.', parallel: false })
  write() {
    this.log.push('write');
  }

  @Tool({ description: 'Uses the one printer.', concurrency: { limit: 1, queue: 1 } })
  async print(@ToolParam('n') n: number) {
    this.log.push(`print ${n}`);
    this.begun.open();
    await this.door.opened;
    return `page ${n}`;
  }
}

describe('calls of one step', () => {
  const read = (n: number) => ({ tool: 'read', arguments: { n } });
  const print = (n: number) => ({ tool: 'print', arguments: { n } });

  it('run side by side, and their results come in the order of the calls', async () => {
    const { app, step } = await start({ providers: [LaneTools] });
    const { model } = await step([read(0), read(1), read(2)]);
    const { log } = app.get(LaneTools);
    expect(log.slice(0, 3)).toEqual(['read 0', 'read 1', 'read 2']);
    expect(log.slice(3)).toEqual(['read 2 ended', 'read 1 ended', 'read 0 ended']);
    expect(readings(model)).toEqual(['0', '1', '2']);
  });

  it('wait for one that must run alone, and it for them', async () => {
    const { app, step } = await start({ providers: [LaneTools] });
    await step([read(2), { tool: 'write' }, read(1)]);
    expect(app.get(LaneTools).log).toEqual([
      'read 2',
      'read 2 ended',
      'write',
      'read 1',
      'read 1 ended',
    ]);
  });

  it('wait for their turn where few may run, and are refused where too many wait', async () => {
    const { app, step } = await start({ providers: [LaneTools] });
    const tools = app.get(LaneTools);
    const run = step([print(1), print(2), print(3), { tool: 'write' }]);
    await tools.begun.opened;
    await idle();
    expect(tools.log).toEqual(['print 1']);
    tools.door.open();
    const { model, result } = await run;
    expect(tools.log).toEqual(['print 1', 'print 2', 'write']);
    expect(readings(model)).toEqual([
      'page 1',
      'page 2',
      '"print" is busy: too many calls are running and waiting. Try again later.',
      'Success',
    ]);
    expect(result.status).toBe('completed');
  });

  it('of all tools together may be limited, too', async () => {
    const started = await start({ providers: [LaneTools], module: { toolConcurrency: 1 } });
    const events = recorded(started);
    await started.step([read(2), read(1), read(0)]);
    expect(started.app.get(LaneTools).log).toEqual(
      [2, 1, 0].flatMap((n) => [`read ${n}`, `read ${n} ended`]),
    );
    expect(events.filter(({ type }) => type === 'tool-finished')).toHaveLength(3);
  });
});
