import { Injectable, type Type } from '@nestjs/common';
import type {
  ConvertedResult,
  ToolResultConverter,
} from '../../tools/interfaces/tool-result-converter.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { EnhancerResolver, type HostModule } from '../enhancers/enhancer.resolver.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { InstanceSource } from '../interfaces/instance-source.interface.js';
import { RunContextIds } from '../enhancers/run-context-ids.js';

/** Finds the converters of results, which are providers of the application. */
@Injectable()
export class ConverterResolver {
  private readonly sources = new WeakMap<HostModule, Map<Type, Promise<InstanceSource>>>();

  constructor(
    private readonly resolver: EnhancerResolver,
    private readonly contextIds: RunContextIds,
  ) {}

  /**
   * @param module of the tool
   * @throws Error whose message is a problem for the boot error
   */
  source(type: Type<ToolResultConverter>, module: HostModule): Promise<InstanceSource> {
    const ofModule = this.sources.get(module) ?? new Map<Type, Promise<InstanceSource>>();
    this.sources.set(module, ofModule);
    let source = ofModule.get(type);
    if (!source) {
      source = this.resolver.resolveProvider(type, module);
      ofModule.set(type, source);
      // What is not constructed yet will be.
      source.catch(() => ofModule.delete(type));
    }
    return source;
  }

  async convert(
    type: Type<ToolResultConverter>,
    value: unknown,
    call: ToolCall,
    scope: CallScope,
    module = this.resolver.ownModule(),
  ): Promise<ConvertedResult> {
    const source = await this.source(type, module);
    const converter = source.isStatic
      ? source.instance
      : await source.resolve(this.contextIds.of(scope));
    return (converter as ToolResultConverter).convert(value, call);
  }
}
