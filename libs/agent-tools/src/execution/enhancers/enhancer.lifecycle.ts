import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';

type Hooks = Record<
  | 'onModuleInit'
  | 'onApplicationBootstrap'
  | 'onModuleDestroy'
  | 'beforeApplicationShutdown'
  | 'onApplicationShutdown',
  (signal?: string) => unknown
>;

/**
 * Calls the lifecycle hooks of the enhancers that we create: no module holds them, so Nest does not.
 * (Request-scoped ones have none, as in Nest.)
 */
@Injectable()
export class EnhancerLifecycle
  implements
    OnApplicationBootstrap,
    OnModuleDestroy,
    BeforeApplicationShutdown,
    OnApplicationShutdown
{
  private readonly enhancers: Partial<Hooks>[] = [];
  private readonly passed: ('onModuleInit' | 'onApplicationBootstrap')[] = [];

  /** An enhancer that comes after the boot catches up on what it has missed. */
  async add(enhancer: object): Promise<void> {
    this.enhancers.push(enhancer);
    for (const hook of this.passed) await (enhancer as Partial<Hooks>)[hook]?.();
  }

  /** Called by the orchestrator, whose own hook creates the enhancers. */
  async initialize(): Promise<void> {
    // First, so that one which is added meanwhile misses nothing.
    this.passed.push('onModuleInit');
    await this.call('onModuleInit');
  }

  async onApplicationBootstrap(): Promise<void> {
    this.passed.push('onApplicationBootstrap');
    await this.call('onApplicationBootstrap');
  }

  async onModuleDestroy(): Promise<void> {
    await this.call('onModuleDestroy');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    await this.call('beforeApplicationShutdown', signal);
  }

  async onApplicationShutdown(signal?: string): Promise<void> {
    await this.call('onApplicationShutdown', signal);
  }

  private async call(hook: keyof Hooks, signal?: string): Promise<void> {
    await Promise.all(this.enhancers.map((enhancer) => enhancer[hook]?.(signal)));
  }
}
