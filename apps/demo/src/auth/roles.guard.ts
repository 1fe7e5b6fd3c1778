import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from './authenticated-request.interface.js';
import { ROLES_METADATA } from './roles.decorator.js';
import type { Role } from './user.interface.js';

/** A guard as in Nest's documentation. It does not know that there are tools. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES_METADATA, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!roles) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest | undefined>();
    return request?.user !== undefined && roles.includes(request.user.role);
  }
}
