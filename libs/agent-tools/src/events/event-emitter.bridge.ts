import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { errorMessage } from '../utils/error-message.js';
import { isThenable, toPromise } from '../utils/is-thenable.js';
import { AgentEvents, type ObservedListener } from './agent-events.js';
import type { RuntimeEvent } from './interfaces/runtime-event.interface.js';

/** What is used of `EventEmitter2`, the emitter of `@nestjs/event-emitter`. */
interface Emitter {
  wildcard?: boolean;
  delimiter?: string;
  /** Listeners find the name of the event at `this.event`. */
  event?: unknown;
  hasListeners(name: string): boolean;
  listeners(name: string): Listener[];
  listenersAny(): Listener[];
}

type Listener = (this: Emitter, ...args: unknown[]) => unknown;

const PREFIX = 'agent';
const DEFAULT_DELIMITER = '.';

/** Of the compiler's making, so that no type is forgotten. */
const TYPES: Record<RuntimeEvent['type'], true> = {
  'run-started': true,
  'run-finished': true,
  'run-failed': true,
  'step-started': true,
  'model-retried': true,
  'step-finished': true,
  'tool-arguments-received': true,
  'tool-arguments-read': true,
  'tool-started': true,
  'tool-authorized': true,
  'tool-input': true,
  'tool-stream-started': true,
  'tool-progress': true,
  'tool-stream-ended': true,
  'tool-output': true,
  'tool-finished': true,
  'tool-failed': true,
  'tool-retried': true,
};

/**
 * Hands all runtime events to the listeners of the application's `EventEmitterModule`, if it has one:
 * `@OnEvent('agent.tool-failed')`.
 */
@Injectable()
export class EventEmitterBridge implements OnModuleInit {
  constructor(
    private readonly events: AgentEvents,
    private readonly modules: ModulesContainer,
  ) {}

  /** All providers are constructed now; the listeners themselves come later. */
  onModuleInit(): void {
    const emitter = this.findEmitter();
    if (emitter) this.events.forwardTo(new EmitterListener(emitter));
  }

  /** Found by its token, as the package is optional and an import would need it. */
  private findEmitter(): Emitter | undefined {
    for (const { providers } of this.modules.values()) {
      for (const [token, { isAlias, instance }] of providers) {
        if (!isAlias && isEmitterToken(token) && isEmitter(instance)) return instance;
      }
    }
    return undefined;
  }
}

/** Calls the listeners of an emitter for our events, each on its own. */
class EmitterListener implements ObservedListener {
  private readonly logger = new Logger('AgentTools');
  private readonly names: Readonly<Record<string, string>>;
  /** Asked for listeners. */
  private readonly queries: readonly string[];

  constructor(private readonly emitter: Emitter) {
    const { wildcard, delimiter } = emitter;
    const prefix = PREFIX + ((wildcard && delimiter) || DEFAULT_DELIMITER);
    const types = Object.keys(TYPES);
    this.names = Object.fromEntries(types.map((type) => [type, prefix + type]));
    // With wildcards one question finds the listeners of all names.
    this.queries = wildcard ? [`${prefix}*`] : Object.values(this.names);
  }

  /** With wildcards, `hasListeners()` does not count those of `onAny()`. */
  get observed(): boolean {
    if (this.emitter.listenersAny().length > 0) return true;
    for (const query of this.queries) if (this.emitter.hasListeners(query)) return true;
    return false;
  }

  /**
   * Not by `emit()`, where a listener that throws keeps the event from those after it, and one that
   * rejects is an unhandled rejection.
   */
  readonly listen = (event: RuntimeEvent): void => {
    const { emitter } = this;
    const name = this.names[event.type];
    // Copies, because a listener may remove itself.
    const ofAny = [...emitter.listenersAny()];
    const ofName = [...emitter.listeners(name)];
    for (const listener of ofAny) this.call(listener, name, [name, event]);
    for (const listener of ofName) this.call(listener, name, [event]);
  };

  private call(listener: Listener, name: string, args: readonly unknown[]): void {
    const { emitter } = this;
    emitter.event = name;
    try {
      const result = listener.apply(emitter, [...args]);
      if (isThenable(result))
        toPromise(result).then(undefined, (error: unknown) => this.log(name, error));
    } catch (error) {
      this.log(name, error);
    }
  }

  private log(name: string, error: unknown): void {
    this.logger.error(`A listener of "${name}" failed: ${errorMessage(error)}`);
  }
}

/** The class is named `EventEmitter`, like that of Node.js, and carries itself as `EventEmitter2`. */
function isEmitterToken(token: unknown): boolean {
  if (typeof token !== 'function') return false;
  return (
    token.name === 'EventEmitter2' || (token as { EventEmitter2?: unknown }).EventEmitter2 === token
  );
}

/** What a test put in its place may have other methods. */
function isEmitter(instance: unknown): instance is Emitter {
  if (instance === null || typeof instance !== 'object') return false;
  const { hasListeners, listeners, listenersAny } = instance as Partial<Emitter>;
  return [hasListeners, listeners, listenersAny].every((method) => typeof method === 'function');
}
