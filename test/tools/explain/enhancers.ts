import {
  Catch,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Tool, ToolParam } from 'nestjs-agent-tools';

export class Guard implements CanActivate {
  canActivate() {
    return true;
  }
}
class Interceptor implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_context, next) => next.handle();
}
class Pipe implements PipeTransform {
  transform(value: unknown) {
    return value;
  }
}
@Catch()
class Filter implements ExceptionFilter {
  catch(error: unknown) {
    throw error;
  }
}
export class GlobalGuard extends Guard {}
export class ClassGuard extends Guard {}
export class MethodGuard extends Guard {}
export class GlobalInterceptor extends Interceptor {}
export class ClassInterceptor extends Interceptor {}
export class MethodInterceptor extends Interceptor {}
export class GlobalPipe extends Pipe {}
export class ClassPipe extends Pipe {}
export class MethodPipe extends Pipe {}
export class ParameterPipe extends Pipe {}
export class GlobalFilter extends Filter {}
export class ClassFilter extends Filter {}
export class MethodFilter extends Filter {}

export const GLOBALS = [
  { provide: APP_GUARD, useClass: GlobalGuard },
  { provide: APP_INTERCEPTOR, useClass: GlobalInterceptor },
  { provide: APP_PIPE, useClass: GlobalPipe },
  { provide: APP_FILTER, useClass: GlobalFilter },
];

@Injectable()
@UseGuards(ClassGuard)
@UseInterceptors(ClassInterceptor)
@UsePipes(ClassPipe)
@UseFilters(ClassFilter)
export class Full {
  @Tool('Has everything.')
  @UseGuards(MethodGuard)
  @UseInterceptors(MethodInterceptor)
  @UsePipes(MethodPipe)
  @UseFilters(MethodFilter)
  full(@ToolParam('a', ParameterPipe) a: string, @ToolParam('b') b: string) {
    return a + b;
  }
}

export class Plain {
  @Tool('Has nothing.')
  plain() {
    return 'ran';
  }
}
