import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import {
  CurrentToolCall,
  RunContext,
  Tool,
  ToolParam,
  ToolSignal,
  type ToolCall,
} from 'nestjs-agent-tools';
import { aborted, sleep } from './time.js';

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

/** Tools of every temper. What they give depends on their arguments only, never on time. */
@Injectable()
export class FuzzTools {
  @Tool('At once.')
  fast(@ToolParam('n', { required: false }) n: number) {
    return { n };
  }

  @Tool('A little later.')
  async slow(@CurrentToolCall() call: ToolCall) {
    call.progress('half');
    await sleep(call.id.length % 4);
    return 'slow';
  }

  @Tool('Throws.')
  throwing() {
    throw new Error('no');
  }

  @Tool('Rejects later.')
  async rejecting() {
    await sleep(1);
    throw undefined;
  }

  @Tool('Refused.')
  @UseGuards(Deny)
  denied() {
    return 'never';
  }

  @Tool({ description: 'Runs alone.', parallel: false })
  async alone() {
    await sleep(1);
    return 'alone';
  }

  @Tool({ description: 'Never ends and does not listen.', timeout: 8 })
  deaf() {
    return new Promise(() => undefined);
  }

  @Tool({ description: 'Ends when it is told to.', timeout: 15 })
  async listening(@ToolSignal() signal: AbortSignal) {
    await aborted(signal);
    throw signal.reason;
  }

  @Tool('Aborts its own run.')
  async aborting(@RunContext('stop') stop: () => void) {
    await sleep(1);
    stop();
    return 'aborted';
  }
}
