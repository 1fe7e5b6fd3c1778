import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { AgentService, Tool } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { finalize, interval } from 'rxjs';
import { createApp } from '../support/app.js';

/** Written for HTTP: there is no response to end. */
class EndingResponse implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const response = context.switchToHttp().getResponse<{ end(): void }>();
    return next.handle().pipe(finalize(() => response.end()));
  }
}

@Injectable()
class Tools {
  @Tool({ description: 'x', timeout: 200 })
  @UseInterceptors(EndingResponse)
  async soon() {
    await sleep(5);
    return 'done';
  }

  @Tool({ description: 'x', timeout: 30 })
  @UseInterceptors(EndingResponse)
  slow() {
    return sleep(200, 'late');
  }

  @Tool({ description: 'x', timeout: 30 })
  ticking() {
    return interval(5).pipe(
      finalize(() => {
        throw new Error('teardown');
      }),
    );
  }
}

const NEVER_ENDED = 'never ended';
/** A little more than what an aborted call is given to end by itself. */
const within = <T>(work: Promise<T>) => Promise.race([work, sleep(1_500, NEVER_ENDED)]);

let app: TestingModule;
afterEach(() => app.close());

// An uncaught exception or an unhandled rejection, which end a process, fail these as well.
describe('when what runs at the end of a call throws', () => {
  it('a call that succeeds leaves no unhandled rejection', async () => {
    app = await createApp({ providers: [Tools] });
    expect((await callTool(app, 'soon', {})).status).toBe('success');
    await sleep(20);
  });

  it.each(['slow', 'ticking'])('the call of "%s" ends with its timeout', async (name) => {
    app = await createApp({ providers: [Tools] });
    expect(await within(callTool(app, name, {}))).toMatchObject({ status: 'error' });
  });

  it('an aborted run ends, with all of its calls', async () => {
    app = await createApp({ providers: [Tools] });
    const controller = new AbortController();
    const run = app.get(AgentService).run('x', {
      model: scripted([[{ tool: 'slow' }, { tool: 'slow' }], 'Done.']),
      toolOverrides: { timeout: 5_000 },
      signal: controller.signal,
    });
    await sleep(20);
    controller.abort();
    expect(await within(run)).toMatchObject({ status: 'aborted' });
  });
});
