import { describe, expect, it } from '@jest/globals';
import { sleep } from '../loop/support/time.js';
import { start } from './support/start.js';
import { counting, failing, toolOf, type Work } from './support/tool-of.js';

describe('when a handler throws', () => {
  it('the calls beside it are aborted and waited for; each has one result', async () => {
    let hasEnded = false;
    const slow: Work = async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
      hasEnded = true;
    };
    const later = counting();
    const cause = new Error('stop');
    const { run } = await start({
      providers: [
        toolOf({ name: 'slow' }, slow),
        toolOf({ name: 'later', parallel: false }, later),
        toolOf({}, failing(new Error('no'))),
      ],
      agent: {
        toolDefaults: {
          onExecutionError: () => {
            throw cause;
          },
        },
      },
    });
    const calls = ['slow', 'work', 'slow', 'later'].map((tool) => ({ tool }));
    const { error, steps, messages } = await run([calls]);
    expect(error?.cause).toBe(cause);
    expect(hasEnded).toBe(true);
    expect(later.count).toBe(0);
    expect(steps[0].toolResults.map(({ status }) => status)[3]).toBe('interrupted');
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(messages[1].content).toHaveLength(4);
  });

  it('a call that would be repeated is not', async () => {
    const again = counting(failing(new Error('busy')));
    const { run } = await start({
      providers: [
        toolOf({ name: 'again', effect: 'read', retry: { times: 5, delay: 20 } }, again),
        toolOf({}, failing(new Error('no'))),
      ],
      agent: {
        toolDefaults: {
          onExecutionError: () => {
            throw new Error('stop');
          },
        },
      },
    });
    const { status } = await run([[{ tool: 'again' }, { tool: 'work' }]]);
    await sleep(60);
    expect(status).toBe('failed');
    expect(again.count).toBe(1);
  });

  it('with several, the first one is the cause', async () => {
    let count = 0;
    const { run } = await start({
      providers: [toolOf({}, failing(new Error('no')))],
      agent: {
        toolDefaults: {
          onExecutionError: () => {
            throw new Error(`stop ${++count}`);
          },
        },
      },
    });
    const { error } = await run([[{ tool: 'work' }, { tool: 'work' }, { tool: 'work' }]]);
    expect(error?.cause).toEqual(new Error('stop 1'));
  });

  it('no other handler is asked for a call that comes after it', async () => {
    let asked = 0;
    const work = toolOf({ parallel: false }, failing(new Error('no')));
    const { run } = await start({
      providers: [work],
      agent: {
        toolDefaults: {
          onExecutionError: () => {
            throw new Error('stop');
          },
          onUnknownTool: () => void asked++,
        },
      },
    });
    const { status } = await run([[{ tool: 'work' }, { tool: 'toil' }]]);
    expect(status).toBe('failed');
    expect(asked).toBe(0);
  });

  it('the model is not asked again', async () => {
    const { run } = await start({
      providers: [],
      agent: {
        toolDefaults: {
          onUnknownTool: () => {
            throw new Error('stop');
          },
        },
      },
    });
    // A second turn would be an error of the script, and the cause.
    const { error } = await run([{ tool: 'toil' }]);
    expect(error?.cause).toEqual(new Error('stop'));
  });
});
