/** Global enhancers as everybody has them: they know nothing but HTTP. */
import {
  Catch,
  HttpException,
  Injectable,
  UnauthorizedException,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { catchError, map, throwError } from 'rxjs';
import { IS_PUBLIC, type HttpRequest, type HttpResponse, type User } from './auth.js';

@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || !token) throw new UnauthorizedException();
    try {
      request.user = await this.jwt.verifyAsync<User>(token);
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}

@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      map((data: unknown) => ({
        data,
        statusCode: context.switchToHttp().getResponse<HttpResponse>().statusCode,
      })),
    );
  }
}

@Injectable()
export class ErrorHeaderInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      catchError((error: Error) => {
        context.switchToHttp().getResponse<HttpResponse>().setHeader('x-error', error.name);
        return throwError(() => error);
      }),
    );
  }
}

@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const statusCode = exception.getStatus();
    http
      .getResponse<HttpResponse>()
      .status(statusCode)
      .json({ statusCode, path: http.getRequest<HttpRequest>().url });
  }
}

@Catch()
@Injectable()
export class AllExceptionsFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const statusCode = exception instanceof HttpException ? exception.getStatus() : 500;
    const path = this.adapterHost.httpAdapter.getRequestUrl(http.getRequest()) as string;
    this.adapterHost.httpAdapter.reply(http.getResponse(), { statusCode, path }, statusCode);
  }
}
