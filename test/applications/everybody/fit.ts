/** The same enhancers, each made fit for tools in the smallest way. */
import {
  Catch,
  HttpException,
  Injectable,
  UnauthorizedException,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { ThrottlerGuard } from '@nestjs/throttler';
import { isToolContext } from 'nestjs-agent-tools';
import { IS_PUBLIC, type HttpRequest, type User } from './auth.js';
import * as httpOnly from './http-only.js';

/** A guard that decides who may call stays in force: `request?.` is all that it needs. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<HttpRequest | undefined>();
    const [type, token] = request?.headers.authorization?.split(' ') ?? [];
    if (!request || type !== 'Bearer' || !token) throw new UnauthorizedException();
    try {
      request.user = await this.jwt.verifyAsync<User>(token);
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}

@Injectable()
export class HttpThrottlerGuard extends ThrottlerGuard {
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(isToolContext(context));
  }
}

/** Counts the calls of each tool as well, with the limit of `@Throttle()` on it. */
@Injectable()
export class ToolThrottlerGuard extends ThrottlerGuard {
  protected override getRequestResponse(context: ExecutionContext) {
    const { req, res } = super.getRequestResponse(context);
    return { req, res: res ?? {} };
  }
}

@Injectable()
export class ResponseInterceptor extends httpOnly.ResponseInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    return isToolContext(context) ? next.handle() : super.intercept(context, next);
  }
}

@Injectable()
export class ErrorHeaderInterceptor extends httpOnly.ErrorHeaderInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    return isToolContext(context) ? next.handle() : super.intercept(context, next);
  }
}

@Catch(HttpException)
export class HttpExceptionFilter extends httpOnly.HttpExceptionFilter {
  override catch(exception: HttpException, host: ArgumentsHost): void {
    if (isToolContext(host)) throw exception;
    super.catch(exception, host);
  }
}
