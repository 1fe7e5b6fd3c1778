import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type * as OpenTelemetry from '@opentelemetry/api';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import { loadPackage } from '../utils/load-package.js';
import { MissingPackageException } from '../utils/missing-package.exception.js';
import type { RuntimeTracer } from '../telemetry/interfaces/runtime-tracer.interface.js';
import type { TelemetryOptions } from '../telemetry/interfaces/telemetry-options.interface.js';
import { Telemetry, type TracerSource } from '../telemetry/telemetry.js';
import { OpenTelemetryTracer } from './open-telemetry.tracer.js';

/** Records by OpenTelemetry, as long as its api is installed and a tracer provider is registered. */
@Injectable()
export class OpenTelemetrySource implements OnModuleInit, TracerSource {
  private api?: typeof OpenTelemetry;
  private provider?: OpenTelemetry.TracerProvider;
  private current?: RuntimeTracer;

  constructor(
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    private readonly options: { readonly telemetry?: false | TelemetryOptions },
    private readonly telemetry: Telemetry,
  ) {}

  onModuleInit(): void {
    if (this.options.telemetry === false) return;
    this.api = loadApi();
    if (this.api) this.telemetry.use(this);
  }

  /**
   * Undefined while nothing is recorded. Asked for each run and call, because the application may
   * register its tracer provider at any time.
   */
  get tracer(): RuntimeTracer | undefined {
    const { api } = this;
    if (!api) return undefined;
    const provider = registeredProvider(api);
    if (provider !== this.provider) {
      this.provider = provider;
      this.current = isSilent(provider, api) ? undefined : this.tracerOf(provider, api);
    }
    return this.current;
  }

  private tracerOf(
    provider: OpenTelemetry.TracerProvider,
    api: typeof OpenTelemetry,
  ): RuntimeTracer {
    const tracer = provider.getTracer('nestjs-agent-tools');
    const { content = false } = this.options.telemetry || {};
    return new OpenTelemetryTracer(api, tracer, content);
  }
}

function loadApi(): typeof OpenTelemetry | undefined {
  try {
    return loadPackage<typeof OpenTelemetry>('@opentelemetry/api', 'Telemetry');
  } catch (error) {
    if (error instanceof MissingPackageException) return undefined;
    throw error;
  }
}

/** The api hands out a proxy, which stays the same when another provider is registered behind it. */
function registeredProvider({ trace }: typeof OpenTelemetry): OpenTelemetry.TracerProvider {
  const provider: OpenTelemetry.TracerProvider & Partial<OpenTelemetry.ProxyTracerProvider> =
    trace.getTracerProvider();
  return provider.getDelegate?.() ?? provider;
}

/** The api does not export the class of the provider that records nothing. */
function isSilent(
  provider: OpenTelemetry.TracerProvider,
  { ProxyTracerProvider }: typeof OpenTelemetry,
): boolean {
  return provider.constructor === new ProxyTracerProvider().getDelegate().constructor;
}
