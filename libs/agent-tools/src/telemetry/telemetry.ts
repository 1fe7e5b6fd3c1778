import { Injectable } from '@nestjs/common';
import type { RuntimeTracer } from './interfaces/runtime-tracer.interface.js';

/** Knows what records the application at this moment, if something does. */
export interface TracerSource {
  readonly tracer: RuntimeTracer | undefined;
}

/** Where runs, turns of models and calls ask whether they are recorded. */
@Injectable()
export class Telemetry {
  private source?: TracerSource;

  /** Undefined while nothing is recorded. */
  get tracer(): RuntimeTracer | undefined {
    return this.source?.tracer;
  }

  use(source: TracerSource): void {
    this.source = source;
  }
}
