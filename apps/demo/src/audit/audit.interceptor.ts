import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ToolExecutionContext } from 'nestjs-agent-tools';
import { tap, type Observable } from 'rxjs';

/** Writes down every tool call that was allowed. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { name, run } = ToolExecutionContext.create(context).getCall();
    const started = Date.now();
    return next
      .handle()
      .pipe(tap(() => this.logger.debug(`${name} in run ${run.id}: ${Date.now() - started} ms`)));
  }
}
