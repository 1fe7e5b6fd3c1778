import {
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolDeclarationException, type ToolCallResult } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { ClsModule } from 'nestjs-cls';
import { compileApp } from '../../support/app.js';
import { resetRuns, runs } from './wrappers.js';

interface User {
  readonly roles: readonly string[];
}

export const ADMIN: User = { roles: ['admin'] };
export const NOBODY: User = { roles: [] };

export interface Named {
  readonly name: string;
  readonly decorator: MethodDecorator;
}

/** Something on the method that decides who may call it. */
export interface Mark extends Named {
  /** What on the class reads it. */
  readonly guards: readonly Type<CanActivate>[];
}

function rolesOf(context: ExecutionContext): readonly string[] {
  return context.switchToHttp().getRequest<User>().roles;
}

class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return rolesOf(context).includes('admin');
  }
}

/** Lets everybody call what has no roles, so that roles that are lost open the tool. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext) {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    return !roles || roles.some((role) => rolesOf(context).includes(role));
  }
}

export const TOOL: Named = { name: '@Tool', decorator: Tool('Anything.') };

export const MARKS: readonly Mark[] = [
  { name: '@UseGuards', decorator: UseGuards(AdminGuard), guards: [] },
  { name: '@Roles', decorator: SetMetadata('roles', ['admin']), guards: [RolesGuard] },
];

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** From the outermost to the innermost, as they would stand above the method. */
export function labelOf(order: readonly Named[]): string {
  return order.map(({ name }) => name).join(' ');
}

/** A class whose method has these decorators, applied as TypeScript does it. */
export function hostWith(
  order: readonly Named[],
  guards: readonly Type<CanActivate>[] = [],
): Type<object> {
  @UseGuards(...guards)
  class Host {
    run() {
      runs.method++;
      return 'ran';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Host.prototype, 'run');
  const decorated = Reflect.decorate(
    order.map(({ decorator }) => decorator),
    Host.prototype,
    'run',
    descriptor,
  );
  Object.defineProperty(Host.prototype, 'run', decorated);
  return Host;
}

export interface Trial {
  readonly call: (user: User) => Promise<ToolCallResult>;
}

/**
 * Starts an application with this host and tries it.
 *
 * @returns what the trial does, or 'refused' if the application does not start
 */
export async function tryHost<T>(
  host: Type<object>,
  trial: (app: Trial) => Promise<T>,
): Promise<T | 'refused'> {
  const app: TestingModule = await compileApp({
    imports: [ClsModule.forRoot()],
    providers: [host],
  });
  resetRuns();
  try {
    await app.init();
  } catch (error) {
    if (error instanceof ToolDeclarationException) return 'refused';
    throw error;
  }
  try {
    return await trial({ call: (request) => callTool(app, 'run', {}, { request }) });
  } finally {
    await app.close();
  }
}
