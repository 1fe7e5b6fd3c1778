import { listNames } from '../../utils/list-names.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';

/** What a call ends with, beside what all results say. */
export type Ending = Pick<ToolCallResult, 'status' | 'content' | 'value' | 'error'> & {
  /** Whether the run ends with the error, too. */
  readonly fatal?: boolean;
};

export const INTERRUPTED: Ending = {
  status: 'interrupted',
  content: 'Interrupted: the run was aborted before the tool ended.',
};

export function timedOut(name: string, timeout: number): Ending {
  const content = `"${name}" timed out after ${timeout} ms.`;
  return { status: 'error', content, error: new DOMException(content, 'TimeoutError') };
}

export function busy(name: string): Ending {
  return {
    status: 'error',
    content: `"${name}" is busy: too many calls are running and waiting. Try again later.`,
  };
}

/** For the model it is the same whether a tool does not exist or is not part of the run. */
export function unknownTool(name: string, scope: CallScope, areNamesListed: boolean): Ending {
  if (!areNamesListed) {
    return {
      status: 'error',
      content: `There is no tool "${name}". Call only tools that are listed, or answer without them.`,
    };
  }
  const listed = listNames(toolNames(scope));
  return {
    status: 'error',
    content: `There is no tool "${name}". ${listed ? `The tools are: ${listed}.` : 'There are no tools.'}`,
  };
}

export function toolNames({ tools }: CallScope): Set<string> {
  const known = [...tools.values()].filter(({ isRemoved }) => !isRemoved);
  return new Set(known.map(({ definition }) => definition.chatName));
}

/** Of a tool that the model has called wrongly too often, the call after the last one that was run. */
export function exhausted(name: string, corrections: number): Ending {
  return { status: 'error', content: `Not run: ${stopText(name, corrections)}` };
}

/** What a model is told that may not correct its calls any more. */
export function stopText(name: string, corrections: number): string {
  const times = corrections === 0 ? 'wrongly' : `wrongly ${corrections + 1} times in a row`;
  return `"${name}" was called ${times}. Do not call it again; go on without it.`;
}

export function toResult(
  { id, name }: ToolCallRequest,
  started: number,
  { status, content, value, error }: Ending,
): ToolCallResult {
  const duration = performance.now() - started;
  return { callId: id, name, status, content, value, error, duration };
}
