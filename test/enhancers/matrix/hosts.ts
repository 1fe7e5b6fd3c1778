import { applyDecorators, Inject, type Type } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent-tools';
import {
  createEnhancer,
  decoratorOf,
  KINDS,
  type DependencyTokens,
  type EnhancerReference,
  type EnhancerScope,
  type Kind,
} from './enhancers.js';
import type { Dependency, Probe } from './probe.js';
import { CLASS_ROLE, METHOD_ROLE, Role } from './roles.js';

export const LEVELS = ['global', 'class', 'method', 'parameter'] as const;
export type Level = (typeof LEVELS)[number];

/** Provided in each module of a host: hosts have to be constructed as well. */
export const HOST_SERVICE = Symbol('host service');

export interface Host {
  readonly service: Dependency;
  run(text: string): string;
}
export type HostClass = Type<Host>;

export class MatrixError extends Error {}
export class ClassError extends MatrixError {}
export class MethodError extends ClassError {}

const ERRORS: Readonly<Record<string, typeof MatrixError>> = {
  global: MatrixError,
  class: ClassError,
  method: MethodError,
};

/** An enhancer that stands at one level of a host. */
export interface Placement {
  readonly kind: Kind;
  readonly level: Level;
  readonly reference: EnhancerReference;
}

/** What a host is made of. */
export interface HostParts {
  readonly probe: Probe;
  readonly tokens: DependencyTokens;
  readonly placements: readonly Placement[];
}

export function createParts(
  probe: Probe,
  wanted: readonly { kind: Kind; level: Level; scope: EnhancerScope; label?: string }[],
): HostParts {
  const tokens = { dependency: Symbol('dependency'), scopedDependency: Symbol('scoped') };
  const placements = wanted.map(({ level, ...options }) => ({
    kind: options.kind,
    level,
    reference: createEnhancer({ ...options, probe, tokens, catches: catchesAt(level) }),
  }));
  return { probe, tokens, placements };
}

/** The nearer filters leave the errors of the farther ones alone. */
function catchesAt(level: Level): Type[] {
  return [ERRORS[level] ?? MatrixError];
}

/** A class with one tool, carrying the enhancers of its parts. */
export function createHost(parts: HostParts, tool: string, name: string): HostClass {
  return onClass(createBase(parts, tool, name), parts);
}

/** One that carries only what stands on the method. */
export function createBase(parts: HostParts, tool: string, name: string): HostClass {
  class MatrixHost implements Host {
    constructor(@Inject(HOST_SERVICE) readonly service: Dependency) {}

    @Tool({ name: tool, description: 'Anything.' })
    @Role(METHOD_ROLE)
    @applyDecorators(...decoratorsAt('method', parts))
    run(@ToolParam('text', ...pipesOf(parts)) text: string): string {
      parts.probe.hosts.push(this);
      parts.probe.trail.push(`method ${text}`);
      const [, level] = /^throw (\w+)/.exec(text) ?? [];
      if (level) throw new ERRORS[level](level);
      return `${text} by ${this.service.origin}`;
    }
  }
  return named(MatrixHost, name);
}

/** One that has nothing of its own: the tool and the enhancers of the method are inherited. */
export function inheriting(base: HostClass, parts: HostParts, name: string): HostClass {
  return onClass(named(class extends base {}, name), parts);
}

/** One whose method is its own, but nothing of what stands on it and on the class. */
export function overriding(base: HostClass, parts: HostParts, name: string): HostClass {
  class Overriding extends base {
    override run(text: string): string {
      parts.probe.trail.push('override');
      return super.run(text);
    }
  }
  return named(Overriding, name);
}

/** One that declares the tool again, under another name. */
export function redeclaring(
  base: HostClass,
  parts: HostParts,
  tool: string,
  name: string,
): HostClass {
  class Redeclaring extends base {
    @Tool({ name: tool, description: 'Anything.' })
    @Role(METHOD_ROLE)
    @applyDecorators(...decoratorsAt('method', parts))
    override run(@ToolParam('text', ...pipesOf(parts)) text: string): string {
      return super.run(text);
    }
  }
  return named(Redeclaring, name);
}

function onClass(target: HostClass, parts: HostParts): HostClass {
  applyDecorators(Role(CLASS_ROLE), ...decoratorsAt('class', parts))(target);
  return target;
}

function decoratorsAt(level: Level, { placements }: HostParts) {
  return placements
    .filter((placement) => placement.level === level)
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map(({ kind, reference }) => decoratorOf(kind, reference));
}

function pipesOf({ placements }: HostParts): EnhancerReference[] {
  return placements.filter(({ level }) => level === 'parameter').map(({ reference }) => reference);
}

/** nestjs-cls keeps its proxies by the name of the class. */
function named(target: HostClass, name: string): HostClass {
  Object.defineProperty(target, 'name', { value: name });
  return target;
}
