import { Injectable, Logger } from '@nestjs/common';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import type { ToolMiddleware } from '../tools/interfaces/tool-middleware.interface.js';
import type { ToolCall } from '../tools/tool-call.js';
import { inOneLine, printValue } from './value.printer.js';

/** Characters of the arguments, and of the result. */
const VALUE_LENGTH = 500;
/** A model makes the ids of calls. */
const ID_LENGTH = 100;

/**
 * Logs every tool call that was begun in one line: its name, status, duration, run, arguments and
 * result. Calls that did not succeed are warnings. Fields whose names say that they are secrets and
 * what looks like a credential are left out, and long values are cut.
 *
 * ```ts
 * AgentToolsModule.forRoot({ toolMiddleware: [ToolCallLogger] });
 * ```
 *
 * @publicApi
 */
@Injectable()
export class ToolCallLogger implements ToolMiddleware {
  private readonly logger = new Logger('AgentTools');

  settled(result: ToolCallResult, call: ToolCall): void {
    const { name, status, duration } = result;
    const line =
      `${name} ${status} in ${duration.toFixed(0)} ms${attemptsOf(call)} run=${shortId(call.run.id)} ` +
      `call=${shortId(call.id)} arguments=${printValue(call.input, VALUE_LENGTH)} ` +
      `result=${printValue(shownResult(result), VALUE_LENGTH)}`;
    if (status === 'success') this.logger.log(line);
    else this.logger.warn(line);
  }
}

/** What the model reads, where there is no value: the reason of a failure. */
function shownResult({ value, content }: ToolCallResult): unknown {
  return value === undefined ? content : value;
}

/** Only where there was more than one. */
function attemptsOf({ attempt }: ToolCall): string {
  return attempt > 1 ? ` attempts=${attempt}` : '';
}

function shortId(id: string): string {
  return inOneLine(id.slice(0, ID_LENGTH));
}
