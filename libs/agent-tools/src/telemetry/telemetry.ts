import { Injectable, Logger } from '@nestjs/common';
import { errorMessage } from '../utils/error-message.js';
import type { RuntimeTracer } from './interfaces/runtime-tracer.interface.js';

/** Knows what records the application at this moment, if something does. */
export interface TracerSource {
  readonly tracer: RuntimeTracer | undefined;
}

/** Where runs, turns of models and calls ask whether they are recorded. */
@Injectable()
export class Telemetry {
  private readonly logger = new Logger('AgentTools');
  private source?: TracerSource;

  /** Undefined while nothing is recorded. */
  get tracer(): RuntimeTracer | undefined {
    try {
      return this.source?.tracer;
    } catch (error) {
      this.source = undefined;
      this.logger.error(`Nothing is recorded any more: ${errorMessage(error)}`);
      return undefined;
    }
  }

  use(source: TracerSource): void {
    this.source = source;
  }
}
