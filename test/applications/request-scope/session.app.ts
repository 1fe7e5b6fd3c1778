/** An application whose providers say which instance they are and which request they got. */
import {
  Controller,
  Inject,
  Injectable,
  Logger,
  Post,
  Req,
  Scope,
  UseGuards,
  type CanActivate,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  CurrentToolCall,
  Tool,
  ToolCall,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import type { App } from 'supertest/types.js';

/** What one place saw: the number of its instance and the request injected into it. */
interface Sight {
  readonly place: string;
  readonly no: number;
  readonly request: unknown;
  readonly run?: unknown;
}

export class Journal {
  readonly sights: Sight[] = [];
  private readonly counts = new Map<string, number>();

  next(kind: string): number {
    const no = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, no);
    return no;
  }

  /** The numbers that were seen at a place, in the order of the calls. */
  numbers(place: string): number[] {
    return this.sights.filter((sight) => sight.place === place).map(({ no }) => no);
  }
}

@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly no: number;

  constructor(
    private readonly journal: Journal,
    @Inject(REQUEST) readonly request: unknown,
  ) {
    this.no = journal.next('session');
  }

  see(place: string, run?: unknown): void {
    this.journal.sights.push({ place, no: this.no, request: this.request, run });
  }
}

@Injectable()
class SessionGuard implements CanActivate {
  constructor(private readonly session: Session) {}
  canActivate() {
    this.session.see('guard');
    return true;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Request-scoped by its dependency. */
@Injectable()
@UseGuards(SessionGuard)
class SessionTools {
  private readonly no: number;

  constructor(
    private readonly session: Session,
    private readonly journal: Journal,
  ) {
    this.no = journal.next('host');
  }

  @Tool('Looks at the session.')
  async look(@CurrentToolCall() call: ToolCall) {
    this.session.see('tool', call.run);
    await pause();
    this.journal.sights.push({ place: 'host', no: this.no, request: this.session.request });
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  private readonly no: number;

  constructor(private readonly journal: Journal) {
    this.no = journal.next('transient');
  }

  @Tool('Looks at itself.')
  async lookAtTransient() {
    await pause();
    this.journal.sights.push({ place: 'transient', no: this.no, request: undefined });
  }
}

export const TURNS = [
  [{ tool: 'look' }, { tool: 'look' }, { tool: 'lookAtTransient' }],
  [{ tool: 'look' }, { tool: 'lookAtTransient' }],
  'Done.',
];

export const go = (agent: AgentService, request?: unknown) =>
  agent.run('Go.', { request, model: scripted(TURNS) });

@Controller('static')
class StaticController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  async twice(@Req() request: unknown) {
    await go(this.agent, request);
    await go(this.agent, request);
  }
}

@Controller('scoped')
class ScopedController {
  constructor(
    private readonly agent: AgentService,
    private readonly session: Session,
  ) {}

  @Post()
  async once(@Req() request: unknown) {
    this.session.see('controller');
    await go(this.agent, request);
  }
}

/** A middleware may come before everything else. */
export async function startSessions(
  metadata: ModuleMetadata = {},
  use?: (request: object, response: unknown, next: () => void) => unknown,
) {
  const testing = await Test.createTestingModule({
    imports: [
      AgentToolsModule.forRoot(),
      AgentToolsModule.forFeature({ agents: [{ name: 'clerk' }] }),
    ],
    controllers: [StaticController, ScopedController, ...(metadata.controllers ?? [])],
    providers: [Journal, Session, SessionTools, TransientTools, ...(metadata.providers ?? [])],
  }).compile();
  const app = testing.createNestApplication<INestApplication<App>>();
  Logger.overrideLogger(false);
  if (use) app.use(use);
  await app.init();
  return app;
}
