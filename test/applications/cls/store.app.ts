/** An application whose every place says which user its store holds. */
import {
  Body,
  Catch,
  Controller,
  Injectable,
  Logger,
  Post,
  Query,
  Req,
  Sse,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
  type NestInterceptor,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  Tool,
  type AgentRunOptions,
  type AgentToolsModuleOptions,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { tap } from 'rxjs';
import type { App } from 'supertest/types.js';

export interface HttpRequest {
  readonly headers: Record<string, string | undefined>;
}

/** Reads and writes the store of the application at hand. */
export abstract class Store {
  abstract get(key: string): unknown;
  abstract set(key: string, value: unknown): void;
}

export class Journal {
  readonly entries: string[] = [];
}

@Injectable()
class Watch {
  constructor(
    private readonly store: Store,
    private readonly journal: Journal,
  ) {}

  see(place: string): void {
    this.journal.entries.push(`${place}: ${String(this.store.get('user'))}`);
  }
}

@Injectable()
class SeeingGuard implements CanActivate {
  constructor(private readonly watch: Watch) {}
  async canActivate() {
    this.watch.see('guard');
    return Promise.resolve(true);
  }
}

@Injectable()
class SeeingInterceptor implements NestInterceptor {
  constructor(private readonly watch: Watch) {}
  intercept(_context: ExecutionContext, next: CallHandler) {
    this.watch.see('interceptor');
    return next.handle().pipe(tap({ next: () => this.watch.see('interceptor, after') }));
  }
}

@Catch()
@Injectable()
class SeeingFilter implements ExceptionFilter {
  constructor(private readonly watch: Watch) {}
  catch(error: unknown): never {
    this.watch.see('filter');
    throw error;
  }
}

export const pause = () => new Promise((resolve) => setImmediate(resolve));

@Injectable()
@UseGuards(SeeingGuard)
@UseInterceptors(SeeingInterceptor)
@UseFilters(SeeingFilter)
class Tools {
  constructor(
    private readonly watch: Watch,
    private readonly store: Store,
  ) {}

  @Tool('Looks.')
  async look() {
    this.watch.see('tool');
    await pause();
    this.watch.see('tool, later');
  }

  @Tool('Yields.')
  async *yields() {
    await pause();
    this.watch.see('generator');
    yield 1;
  }

  @Tool('Fails.')
  async fail() {
    await pause();
    throw new Error('failed');
  }

  @Tool('Reads what the controller wrote.')
  order() {
    return this.store.get('order');
  }
}

@Controller('chat')
class ChatController {
  constructor(
    private readonly agent: AgentService,
    private readonly store: Store,
  ) {}

  @Post()
  async chat(@Req() request: HttpRequest, @Body('turns') turns?: ScriptedTurn[]) {
    this.store.set('order', `order of ${String(this.store.get('user'))}`);
    const { steps } = await this.agent.run('Go.', optionsOf(request, turns));
    return steps.flatMap(({ toolResults }) => toolResults.map(({ content }) => content));
  }

  @Sse('stream')
  stream(@Req() request: HttpRequest, @Query('q') q: string) {
    return this.agent.stream(q, optionsOf(request)).toSse();
  }
}

/** Five calls in one step. */
export const FIVE = [
  ...Array.from({ length: 3 }, () => ({ tool: 'look' })),
  { tool: 'yields' },
  { tool: 'fail' },
];

const optionsOf = (request: HttpRequest, turns: ScriptedTurn[] = [FIVE]): AgentRunOptions => ({
  request,
  model: scripted([...turns, 'Done.']),
});

/** What each place of the five calls sees of this user, in alphabetical order. */
export const seenBy = (user: string) =>
  [
    ...Array.from({ length: 5 }, () => 'guard'),
    ...Array.from({ length: 5 }, () => 'interceptor'),
    ...Array.from({ length: 4 }, () => 'interceptor, after'),
    ...Array.from({ length: 3 }, () => ['tool', 'tool, later']).flat(),
    'generator',
    'filter',
  ]
    .map((place) => `${place}: ${user}`)
    .toSorted();

/** A middleware may come before everything else. */
export async function startStores(
  metadata: ModuleMetadata,
  options: AgentToolsModuleOptions = {},
  use?: (request: HttpRequest, response: unknown, next: () => void) => void,
) {
  const testing = await Test.createTestingModule({
    ...metadata,
    imports: [AgentToolsModule.forRoot(options), ...(metadata.imports ?? [])],
    controllers: [ChatController],
    providers: [Tools, Watch, Journal, ...(metadata.providers ?? [])],
  }).compile();
  const app = testing.createNestApplication<INestApplication<App>>();
  Logger.overrideLogger(false);
  if (use) app.use(use);
  await app.init();
  return app;
}
