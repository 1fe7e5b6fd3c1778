/** What Nest's documentation tells everybody to write for authentication and authorization. */
import {
  createParamDecorator,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';

export interface User {
  readonly sub: string;
  readonly roles: readonly string[];
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: { readonly authorization?: string };
  user?: User;
}

export interface HttpResponse {
  readonly statusCode: number;
  status(code: number): this;
  json(body: unknown): this;
  setHeader(name: string, value: string): this;
}

export const IS_PUBLIC = 'isPublic';

export const Public = () => SetMetadata(IS_PUBLIC, true);

export const Roles = (...roles: string[]) => SetMetadata('roles', roles);

export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<HttpRequest>().user,
);

/** It only reads the request, so it is fit for tools as it is. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!roles) return true;
    const { user } = context.switchToHttp().getRequest<HttpRequest>();
    return roles.some((role) => user?.roles.includes(role));
  }
}
