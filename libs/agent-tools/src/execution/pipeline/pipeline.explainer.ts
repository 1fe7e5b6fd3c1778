import type {
  EnhancerExplanation,
  InstanceScope,
} from '../../tools/interfaces/tool-explanation.interface.js';
import { ToolMetadataAccessor, type EnhancerKind } from '../../tools/tool-metadata.accessor.js';
import { enhancerName, KINDS } from '../enhancers/enhancer-kind.js';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { InstanceSource } from '../interfaces/instance-source.interface.js';
import type { PipelinePlan } from '../interfaces/pipeline-plan.interface.js';

const SOURCES = {
  guard: 'guards',
  interceptor: 'interceptors',
  pipe: 'pipes',
  filter: 'filters',
} as const satisfies Record<EnhancerKind, keyof EnhancerSources>;

const accessor = new ToolMetadataAccessor();

/** The scope of a tool's host and everything that runs around it, in its order. */
export function explainPipeline(
  { hostClass, enhancers, ownPipes, scopedHost }: PipelinePlan,
  globals: EnhancerSources,
): { scope: InstanceScope; enhancers: EnhancerExplanation[] } {
  const explained = KINDS.flatMap((kind) => {
    const ofClass = accessor.getEnhancers(kind, hostClass).length;
    const all = [
      ...globals[SOURCES[kind]].map((source) => explain(kind, source, 'global')),
      ...enhancers[SOURCES[kind]].map((source, index) =>
        explain(kind, source, index < ofClass ? 'class' : 'method'),
      ),
    ];
    if (kind === 'pipe')
      all.push(...ownPipes.flat().map((source) => explain(kind, source, 'parameter')));
    return kind === 'filter' ? all.reverse() : all;
  });
  return { scope: scopedHost?.scope ?? 'singleton', enhancers: explained };
}

function explain(
  kind: EnhancerKind,
  source: InstanceSource,
  level: EnhancerExplanation['level'],
): EnhancerExplanation {
  return source.isStatic
    ? { kind, name: enhancerName(source.instance), level, scope: 'singleton' }
    : { kind, name: source.name, level, scope: source.scope };
}
