import { Inject, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import { InputValidator } from '../arguments/input.validator.js';
import type { DiscoveredTool } from '../tools/interfaces/discovered-tool.interface.js';
import type { ToolDefinition } from '../tools/interfaces/tool-definition.interface.js';
import { ToolMetadataAccessor, type EnhancerKind } from '../tools/tool-metadata.accessor.js';
import { enhancerOf } from './enhancers/enhancer-kind.js';
import { EnhancerResolver, sourceOf, type EnhancerHost } from './enhancers/enhancer.resolver.js';
import { HostCheck } from './enhancers/host.check.js';
import { GlobalEnhancers } from './enhancers/global-enhancers.js';
import type { InstanceSource, ScopedSource } from './interfaces/instance-source.interface.js';
import type { PolicyOptions } from './interfaces/policy-options.interface.js';
import type { PipelinePlan } from './interfaces/pipeline-plan.interface.js';
import { ParameterBinder } from './pipeline/parameter.binder.js';
import { RunContextIds } from './enhancers/run-context-ids.js';
import { ConverterResolver } from './results/converter.resolver.js';
import { MiddlewareResolver } from './pipeline/middleware.resolver.js';
import { ToolPipeline } from './pipeline/tool.pipeline.js';

/** Builds the pipeline of a tool: its enhancers resolved, its parameters bound, once. */
@Injectable()
export class ToolBinder {
  private readonly accessor = new ToolMetadataAccessor();

  constructor(
    private readonly resolver: EnhancerResolver,
    private readonly globals: GlobalEnhancers,
    private readonly contextIds: RunContextIds,
    private readonly middleware: MiddlewareResolver,
    private readonly converters: ConverterResolver,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: PolicyOptions,
  ) {}

  /**
   * @throws Error whose message is a problem for the boot error
   */
  async bind(tool: DiscoveredTool, definition: ToolDefinition): Promise<ToolPipeline> {
    // First, as it says whether the application is ready for it.
    this.globals.current();
    const { parameters, options } = tool;
    const scopedHost = this.scopedHostOf(tool);
    const host: EnhancerHost = {
      module: tool.wrapper?.host ?? this.resolver.ownModule(),
      key: tool.wrapper ?? tool,
      isStatic: !scopedHost,
    };
    const converter = options.resultConverter ?? this.options.toolDefaults?.resultConverter;
    if (converter) await this.converters.source(converter, host.module);
    const plan: PipelinePlan = {
      module: host.module,
      hostClass: tool.hostClass,
      handler: tool.handler,
      methodName: tool.methodName,
      instance: tool.instance,
      check: new HostCheck(tool, this.accessor),
      scopedHost,
      middleware: await this.middleware.chain(),
      validator: new InputValidator(definition.name, definition.inputSchema),
      parameters: new ParameterBinder(parameters, options.inputSchema),
      ownPipes: await Promise.all(
        parameters.map(({ pipes }) => this.resolveEach<PipeTransform>('pipe', pipes, host)),
      ),
      enhancers: {
        guards: await this.resolveAll('guard', tool, host),
        interceptors: await this.resolveAll('interceptor', tool, host),
        pipes: await this.resolveAll('pipe', tool, host),
        filters: await this.resolveAll('filter', tool, host),
      },
    };
    return new ToolPipeline(plan, this.globals, this.contextIds);
  }

  /**
   * Makes what all tools share.
   *
   * @throws Error whose message is a problem for the boot error
   */
  async prepare(): Promise<void> {
    await this.middleware.chain();
  }

  private scopedHostOf(tool: DiscoveredTool): ScopedSource | undefined {
    const { wrapper } = tool;
    if (!wrapper?.host) return undefined;
    const source = sourceOf(wrapper, wrapper.host);
    return source.isStatic ? undefined : source;
  }

  private resolveAll<T extends object>(
    kind: EnhancerKind,
    { hostClass, handler }: DiscoveredTool,
    host: EnhancerHost,
  ): Promise<InstanceSource<T>[]> {
    const declared = [
      ...this.accessor.getEnhancers(kind, hostClass),
      ...this.accessor.getEnhancers(kind, handler),
    ];
    return this.resolveEach(kind, declared, host);
  }

  private resolveEach<T extends object>(
    kind: EnhancerKind,
    declared: readonly unknown[],
    host: EnhancerHost,
  ): Promise<InstanceSource<T>[]> {
    return Promise.all(declared.map((enhancer) => this.resolve<T>(kind, enhancer, host)));
  }

  private async resolve<T extends object>(
    kind: EnhancerKind,
    enhancer: unknown,
    host: EnhancerHost,
  ): Promise<InstanceSource<T>> {
    const source = await this.resolver.resolve(enhancer as Type | object, host);
    return source.isStatic
      ? { isStatic: true, instance: enhancerOf<T>(kind, enhancer, source.instance) }
      : {
          ...source,
          resolve: (contextId) =>
            whenMade(source.resolve(contextId), (one) => enhancerOf<T>(kind, enhancer, one)),
        };
  }
}

function whenMade<T>(
  instance: object | Promise<object>,
  check: (instance: object) => T,
): T | Promise<T> {
  return instance instanceof Promise ? instance.then(check) : check(instance);
}
