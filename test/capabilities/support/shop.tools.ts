import {
  Catch,
  Inject,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent-tools';
import { tap } from 'rxjs';
import { z } from 'zod';

/** What happened, in its order. */
export const LOG = Symbol('LOG');

interface StaffRequest {
  readonly user?: { readonly isStaff: boolean };
}

@Injectable()
export class StaffGuard implements CanActivate {
  constructor(@Inject(LOG) private readonly log: string[]) {}

  canActivate(context: ExecutionContext): boolean {
    this.log.push('guard');
    const request = context.switchToHttp().getRequest<StaffRequest | undefined>();
    return request?.user?.isStaff === true;
  }
}

@Injectable()
export class LogInterceptor implements NestInterceptor {
  constructor(@Inject(LOG) private readonly log: string[]) {}

  intercept(_context: ExecutionContext, next: CallHandler) {
    this.log.push('interceptor');
    return next.handle().pipe(tap(() => this.log.push('interceptor again')));
  }
}

@Injectable()
export class LogPipe implements PipeTransform {
  constructor(@Inject(LOG) private readonly log: string[]) {}

  transform(value: unknown) {
    this.log.push('pipe');
    return value;
  }
}

export class SoldOut extends Error {}

@Catch(SoldOut)
export class SoldOutFilter implements ExceptionFilter {
  catch(_error: SoldOut, _host: ArgumentsHost) {
    return { answer: 'It is sold out.' };
  }
}

/** Valid for every text that looks like an order number; notes when it is asked. */
const orderNo = (log: string[]) =>
  z.string().refine((text) => {
    log.push('validation');
    return text.startsWith('A-');
  });

/** Tools of which one application is made, because their schema writes to its log. */
export function shopWith(log: string[]) {
  @Injectable()
  @UseGuards(StaffGuard)
  @UseInterceptors(LogInterceptor)
  @UseFilters(SoldOutFilter)
  class ShopTools {
    constructor(@Inject(LOG) readonly entries: string[]) {}

    @Tool('Refund an order.')
    refund(@ToolParam('orderNo', { schema: orderNo(log) }, LogPipe) no: string) {
      this.entries.push('method');
      if (no === 'A-0') throw new SoldOut();
      return { refunded: no };
    }
  }
  return ShopTools;
}
