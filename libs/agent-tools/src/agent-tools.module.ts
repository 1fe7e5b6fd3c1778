import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AGENT_TOOLS_MODEL_NAMES, AGENT_TOOLS_MODULE_OPTIONS } from './agent-tools.constants.js';
import { AgentToolsOrchestrator } from './agent-tools.orchestrator.js';
import { AgentFactory } from './agent/agent.factory.js';
import { AgentLoop } from './agent/agent.loop.js';
import { AgentService } from './agent/agent.service.js';
import { getAgentToken } from './agent/agent.tokens.js';
import { refuseDuplicateNames } from './agent/refuse-duplicate-names.js';
import { AgentEvents } from './events/agent-events.js';
import { EventEmitterBridge } from './events/event-emitter.bridge.js';
import { CallAdmission } from './execution/calls/call.admission.js';
import { CallFailures } from './execution/calls/call.failures.js';
import { CallPolicies } from './execution/calls/call.policies.js';
import { ConcurrencyGates } from './execution/calls/concurrency.gates.js';
import { EnhancerLifecycle } from './execution/enhancers/enhancer.lifecycle.js';
import { EnhancerResolver } from './execution/enhancers/enhancer.resolver.js';
import { ErrorMapper } from './execution/calls/error.mapper.js';
import { GlobalEnhancers } from './execution/enhancers/global-enhancers.js';
import { ConverterResolver } from './execution/results/converter.resolver.js';
import { RunContextIds } from './execution/enhancers/run-context-ids.js';
import { ToolBinder } from './execution/tool.binder.js';
import { ToolExecutor } from './execution/tool.executor.js';
import type {
  AgentToolsFeatureOptions,
  AgentToolsModuleAsyncOptions,
  AgentToolsModuleOptions,
  AgentToolsModuleOptionsFactory,
} from './interfaces/agent-tools-module-options.interface.js';
import { DEFAULT_MODEL_NAME, getChatModelToken } from './models/chat-model.tokens.js';
import { ChatModelRegistry, provideModel } from './models/chat-model.registry.js';
import { MiddlewareResolver } from './execution/pipeline/middleware.resolver.js';
import type { ChatModel } from './models/interfaces/chat-model.interface.js';
import { OpenTelemetrySource } from './open-telemetry/open-telemetry.source.js';
import { Telemetry } from './telemetry/telemetry.js';
import { ToolRegistry } from './tools/tool.registry.js';
import { IgnoredToolsFinder } from './tools/ignored-tools.finder.js';
import { ToolSources } from './tools/tool.sources.js';
import { ToolsExplorer } from './tools/tools.explorer.js';

const DEFAULT_AGENT: Provider = {
  provide: AgentService,
  useFactory: (agents: AgentFactory) => agents.create({}),
  inject: [AgentFactory],
};

/**
 * Finds the `@Tool()` methods of the application's providers and lets a language model call them
 * through Nest's pipeline. Import `forRoot()` or `forRootAsync()` once, in the root module; what it
 * exports is global.
 *
 * @publicApi
 */
@Module({})
export class AgentToolsModule {
  static forRoot(options: AgentToolsModuleOptions = {}): DynamicModule {
    const provider = { provide: AGENT_TOOLS_MODULE_OPTIONS, useValue: options };
    return AgentToolsModule.create([provider], Object.keys(options.models ?? {}));
  }

  static forRootAsync(options: AgentToolsModuleAsyncOptions): DynamicModule {
    const { modelNames = [], imports } = options;
    return AgentToolsModule.create(createAsyncProviders(options), modelNames, imports);
  }

  /**
   * Adds named agents, which are injected with `@InjectAgent(name)`, and tools that are objects or
   * classes which implement `AgentTool`. (Methods with `@Tool()` are found without.)
   */
  static forFeature({ agents = [], tools = [] }: AgentToolsFeatureOptions): DynamicModule {
    refuseDuplicateNames(agents.map(({ name }) => name));
    const named = agents.map((agent) => ({
      provide: getAgentToken(agent.name),
      useFactory: (factory: AgentFactory) => factory.create(agent),
      inject: [AgentFactory],
    }));
    const added: Provider = {
      provide: Symbol('AGENT_TOOLS'),
      useFactory: (sources: ToolSources) => sources.add(tools),
      inject: [ToolSources],
    };
    const providers = tools.length > 0 ? [...named, added] : named;
    return { module: AgentToolsModule, providers, exports: named };
  }

  private static create(
    options: Provider[],
    modelNames: readonly string[],
    imports: DynamicModule['imports'] = [],
  ): DynamicModule {
    const names = new Set([DEFAULT_MODEL_NAME, ...modelNames]);
    const models = [...names].map(createModelProvider);
    return {
      module: AgentToolsModule,
      global: true,
      imports: [DiscoveryModule, ...imports],
      providers: [
        ...options,
        AgentToolsOrchestrator,
        ToolsExplorer,
        IgnoredToolsFinder,
        ToolSources,
        ToolRegistry,
        EnhancerLifecycle,
        EnhancerResolver,
        GlobalEnhancers,
        RunContextIds,
        ToolBinder,
        ErrorMapper,
        CallFailures,
        CallPolicies,
        CallAdmission,
        ConcurrencyGates,
        ConverterResolver,
        MiddlewareResolver,
        AgentEvents,
        EventEmitterBridge,
        Telemetry,
        OpenTelemetrySource,
        ToolExecutor,
        AgentLoop,
        AgentFactory,
        DEFAULT_AGENT,
        ChatModelRegistry,
        ...models,
        { provide: AGENT_TOOLS_MODEL_NAMES, useValue: modelNames },
      ],
      exports: [
        ToolRegistry,
        ToolExecutor,
        ToolSources,
        AgentEvents,
        AgentFactory,
        AgentService,
        ...models.map(({ provide }) => provide),
      ],
    };
  }
}

function createModelProvider(name: string): FactoryProvider<ChatModel> {
  return {
    provide: getChatModelToken(name),
    useFactory: (options: AgentToolsModuleOptions) => provideModel(options, name),
    inject: [AGENT_TOOLS_MODULE_OPTIONS],
  };
}

function createAsyncProviders(options: AgentToolsModuleAsyncOptions): Provider[] {
  const { useFactory, useClass, useExisting, inject } = options;
  if (useFactory) {
    return [{ provide: AGENT_TOOLS_MODULE_OPTIONS, useFactory, inject: inject ?? [] } as Provider];
  }
  const factory = useExisting ?? useClass;
  if (!factory) {
    throw new Error(
      'AgentToolsModule.forRootAsync() needs one of `useFactory`, `useClass` and `useExisting`.',
    );
  }
  const provider: Provider = {
    provide: AGENT_TOOLS_MODULE_OPTIONS,
    useFactory: (made: AgentToolsModuleOptionsFactory) => made.createAgentToolsOptions(),
    inject: [factory],
  };
  return useClass ? [provider, useClass] : [provider];
}
