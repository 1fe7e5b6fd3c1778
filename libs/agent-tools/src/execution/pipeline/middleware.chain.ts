import { Logger } from '@nestjs/common';
import type { ToolMiddleware } from '../../tools/interfaces/tool-middleware.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { errorMessage } from '../../utils/error-message.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';

type Transform = (value: unknown, call: ToolCall) => unknown;

/** All middleware of the application as one. */
export class MiddlewareChain {
  private readonly logger = new Logger('AgentTools');
  private readonly inputs: readonly Transform[];
  private readonly outputs: readonly Transform[];
  private readonly progresses: readonly Transform[];

  /**
   * @param middleware the outermost first
   */
  constructor(private readonly middleware: readonly ToolMiddleware[]) {
    const inner = middleware.toReversed();
    this.inputs = middleware.flatMap((one) => (one.input ? [one.input.bind(one)] : []));
    this.outputs = inner.flatMap((one) => (one.output ? [one.output.bind(one)] : []));
    this.progresses = inner.flatMap((one) => (one.progress ? [one.progress.bind(one)] : []));
  }

  /** Returns a promise only if one of them does. */
  input(value: unknown, call: ToolCall): unknown {
    return transform(this.inputs, value, call, 0);
  }

  /** Returns a promise only if one of them does. */
  output(value: unknown, call: ToolCall): unknown {
    return transform(this.outputs, value, call, 0);
  }

  /** Undefined if the value must not be reported. */
  progress(value: unknown, call: ToolCall): { readonly value: unknown } | undefined {
    try {
      let result = value;
      for (const one of this.progresses) result = kept(settledAtOnce(one(result, call)), result);
      return { value: result };
    } catch (error) {
      this.logger.error(`Progress of "${call.name}" is not reported: ${errorMessage(error)}`);
      return undefined;
    }
  }

  settled(result: ToolCallResult, call: ToolCall): void {
    const report = (error: unknown) => {
      this.logger.error(`A middleware failed after "${call.name}": ${errorMessage(error)}`);
    };
    for (const one of this.middleware) {
      try {
        const returned: unknown = one.settled?.(result, call);
        if (isThenable(returned)) toPromise(returned).then(undefined, report);
      } catch (error) {
        report(error);
      }
    }
  }
}

function kept(changed: unknown, before: unknown): unknown {
  return changed === undefined ? before : changed;
}

function settledAtOnce(value: unknown): unknown {
  if (!isThenable(value)) return value;
  toPromise(value).catch(() => undefined);
  throw new TypeError('`progress` of a ToolMiddleware must not be asynchronous.');
}

function transform(
  transforms: readonly Transform[],
  value: unknown,
  call: ToolCall,
  from: number,
): unknown {
  let result = value;
  for (let index = from; index < transforms.length; index++) {
    const changed = transforms[index](result, call);
    if (isThenable(changed)) {
      const unchanged = result;
      return toPromise(changed).then((settled) =>
        transform(transforms, kept(settled, unchanged), call, index + 1),
      );
    }
    result = kept(changed, result);
  }
  return result;
}
