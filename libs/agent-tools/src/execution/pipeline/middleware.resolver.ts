import { Inject, Injectable, type Type } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../../agent-tools.constants.js';
import type { ToolMiddleware } from '../../tools/interfaces/tool-middleware.interface.js';
import { EnhancerResolver } from '../enhancers/enhancer.resolver.js';
import { MiddlewareChain } from './middleware.chain.js';

/** Makes one chain of the middleware that the module is given. */
@Injectable()
export class MiddlewareResolver {
  private resolved?: Promise<MiddlewareChain | undefined>;

  constructor(
    private readonly resolver: EnhancerResolver,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    private readonly options: { readonly toolMiddleware?: readonly Type<ToolMiddleware>[] },
  ) {}

  /**
   * Undefined without middleware.
   *
   * @throws Error whose message is a problem for the boot error
   */
  chain(): Promise<MiddlewareChain | undefined> {
    if (!this.resolved) {
      const resolved = this.create();
      this.resolved = resolved;
      // What is not constructed yet will be.
      resolved.catch(() => (this.resolved = undefined));
    }
    return this.resolved;
  }

  private async create(): Promise<MiddlewareChain | undefined> {
    const { toolMiddleware = [] } = this.options;
    if (toolMiddleware.length === 0) return undefined;
    const instances = toolMiddleware.map((type) => this.resolve(type));
    return new MiddlewareChain(await Promise.all(instances));
  }

  private async resolve(type: Type<ToolMiddleware>): Promise<ToolMiddleware> {
    const source = await this.resolver.resolveProvider(type, this.resolver.ownModule());
    if (source.isStatic) return source.instance;
    throw new Error(
      `The middleware "${type.name}" is request-scoped or transient, or depends on something that is. ` +
        'There is one of it for the application: make it a singleton, and read what belongs to the run ' +
        'from the call that it gets.',
    );
  }
}
