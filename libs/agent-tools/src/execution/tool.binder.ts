import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { InputValidator } from '../arguments/input.validator.js';
import type { DiscoveredTool } from '../tools/interfaces/discovered-tool.interface.js';
import type { ToolDefinition } from '../tools/interfaces/tool-definition.interface.js';
import { ToolMetadataAccessor, type EnhancerKind } from '../tools/tool-metadata.accessor.js';
import { EnhancerResolver, type HostModule } from './enhancer.resolver.js';
import { GlobalEnhancers } from './global-enhancers.js';
import { ParameterBinder } from './parameter.binder.js';
import { ToolPipeline } from './tool.pipeline.js';

const METHODS: Readonly<Record<EnhancerKind, string>> = {
  guard: 'canActivate',
  interceptor: 'intercept',
  pipe: 'transform',
  filter: 'catch',
};

const KINDS = Object.keys(METHODS) as EnhancerKind[];

/** Builds the pipeline of a tool: its enhancers resolved, its parameters bound, once. */
@Injectable()
export class ToolBinder {
  private readonly accessor = new ToolMetadataAccessor();

  constructor(
    private readonly resolver: EnhancerResolver,
    private readonly globals: GlobalEnhancers,
    private readonly modules: ModulesContainer,
  ) {}

  /**
   * @throws Error whose message is a problem for the boot error
   */
  async bind(tool: DiscoveredTool, definition: ToolDefinition): Promise<ToolPipeline> {
    const { wrapper, hostClass } = tool;
    if (wrapper && (wrapper.isTransient || !wrapper.isDependencyTreeStatic())) {
      throw new Error(
        `${hostClass.name} is request-scoped, transient or durable, or depends on a provider that is. ` +
          'Scoped hosts of tools are not supported yet: make it a singleton.',
      );
    }
    const scopedGlobals = this.globals.scopedNames();
    if (scopedGlobals.length > 0) {
      throw new Error(
        `The global enhancers ${scopedGlobals.join(', ')} are request-scoped or transient, and would not ` +
          'run. Scoped enhancers of tools are not supported yet: make them singletons.',
      );
    }
    const host = wrapper?.host ?? this.ownModule();
    return new ToolPipeline(
      {
        hostClass,
        handler: tool.handler,
        methodName: tool.methodName,
        instance: tool.instance,
        validator: new InputValidator(definition.name, definition.inputSchema),
        parameters: await this.bindParameters(tool, host),
        enhancers: {
          guards: await this.resolveAll('guard', tool, host),
          interceptors: await this.resolveAll('interceptor', tool, host),
          pipes: await this.resolveAll('pipe', tool, host),
          filters: await this.resolveAll('filter', tool, host),
        },
      },
      this.globals,
    );
  }

  /** All enhancers that will run, by name and in their order, for the boot report. */
  describeEnhancers({ hostClass, handler, parameters }: DiscoveredTool): string[] {
    const { guards, interceptors, pipes, filters } = this.globals.current();
    const globals = { guard: guards, interceptor: interceptors, pipe: pipes, filter: filters };
    const names = KINDS.flatMap((kind) => [
      ...globals[kind].map((enhancer) => `${enhancerName(enhancer)} (global)`),
      ...this.accessor.getEnhancers(kind, hostClass).map(enhancerName),
      ...this.accessor.getEnhancers(kind, handler).map(enhancerName),
    ]);
    return [...names, ...parameters.flatMap((parameter) => parameter.pipes).map(enhancerName)];
  }

  /** Enhancers of a tool that no module provides are created in ours. */
  private ownModule(): HostModule {
    for (const module of this.modules.values()) {
      if (module.providers.has(ToolBinder)) return module;
    }
    throw new Error('AgentToolsModule is not part of this application.');
  }

  private async resolveAll<T extends object>(
    kind: EnhancerKind,
    { hostClass, handler }: DiscoveredTool,
    host: HostModule,
  ): Promise<T[]> {
    const declared = [
      ...this.accessor.getEnhancers(kind, hostClass),
      ...this.accessor.getEnhancers(kind, handler),
    ];
    return Promise.all(declared.map((enhancer) => this.resolve<T>(kind, enhancer, host)));
  }

  private async bindParameters(
    { parameters, options }: DiscoveredTool,
    host: HostModule,
  ): Promise<ParameterBinder> {
    const pipes = new Map<number, PipeTransform[]>();
    for (const parameter of parameters) {
      const resolved = parameter.pipes.map((pipe) =>
        this.resolve<PipeTransform>('pipe', pipe, host),
      );
      pipes.set(parameter.index, await Promise.all(resolved));
    }
    return new ParameterBinder(parameters, pipes, options.inputSchema);
  }

  private async resolve<T extends object>(
    kind: EnhancerKind,
    enhancer: unknown,
    host: HostModule,
  ): Promise<T> {
    const instance = await this.resolver.resolve(enhancer as Type | object, host);
    if (implementsKind(instance, kind)) return instance as T;
    // Nest accepts a class whose method is static.
    if (implementsKind(enhancer, kind)) return enhancer as T;
    throw new Error(
      `"${enhancerName(enhancer)}" is used as a ${kind} but has no method "${METHODS[kind]}".`,
    );
  }
}

function implementsKind(candidate: unknown, kind: EnhancerKind): boolean {
  return typeof (candidate as Record<string, unknown> | null)?.[METHODS[kind]] === 'function';
}

function enhancerName(enhancer: unknown): string {
  return typeof enhancer === 'function'
    ? enhancer.name
    : ((enhancer as object | null)?.constructor.name ?? String(enhancer));
}
