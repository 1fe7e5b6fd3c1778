import { afterEach } from '@jest/globals';
import {
  Logger,
  ValidationPipe,
  type INestApplication,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { Test } from '@nestjs/testing';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AgentToolsModule, type AgentToolsModuleOptions } from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import supertest from 'supertest';
import type { App } from 'supertest/types.js';
import { RolesGuard } from './auth.js';
import { ChatController } from './chat.controller.js';
import { Ledger, OrderTools } from './orders.tools.js';
import * as fit from './fit.js';
import * as httpOnly from './http-only.js';

const CONFIG = { JWT_SECRET: 'a secret', INSTRUCTIONS: 'You help customers.' };

/** Each route may be asked this often. */
export const THROTTLE_LIMIT = 3;

export const guard = (useClass: Type): Provider => ({ provide: APP_GUARD, useClass });
export const interceptor = (useClass: Type): Provider => ({ provide: APP_INTERCEPTOR, useClass });
export const filter = (useClass: Type): Provider => ({ provide: APP_FILTER, useClass });

export const HTTP_ONLY: readonly Provider[] = [
  guard(ThrottlerGuard),
  guard(httpOnly.JwtAuthGuard),
  guard(RolesGuard),
  interceptor(httpOnly.ResponseInterceptor),
  interceptor(httpOnly.ErrorHeaderInterceptor),
  filter(httpOnly.HttpExceptionFilter),
];

export const FIT: readonly Provider[] = [
  guard(fit.HttpThrottlerGuard),
  guard(fit.JwtAuthGuard),
  guard(RolesGuard),
  interceptor(fit.ResponseInterceptor),
  interceptor(fit.ErrorHeaderInterceptor),
  filter(fit.HttpExceptionFilter),
];

interface Everybody {
  readonly enhancers: readonly Provider[];
  readonly turns?: readonly ScriptedTurn[];
  readonly options?: AgentToolsModuleOptions;
}

const apps: INestApplication[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** The application that everybody has, with the given global enhancers; closed after the test. */
export async function startEverybody({ enhancers, turns = ['Done.'], options = {} }: Everybody) {
  const model = scripted(turns);
  const testing = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => CONFIG] }),
      JwtModule.registerAsync({
        global: true,
        inject: [ConfigService],
        useFactory: (config: ConfigService) => ({
          secret: config.getOrThrow<string>('JWT_SECRET'),
        }),
      }),
      ThrottlerModule.forRoot([{ ttl: 60_000, limit: THROTTLE_LIMIT }]),
      AgentToolsModule.forRootAsync({
        inject: [ConfigService],
        useFactory: (config: ConfigService) => ({
          ...options,
          model,
          instructions: config.getOrThrow<string>('INSTRUCTIONS'),
        }),
      }),
    ],
    controllers: [ChatController],
    providers: [Ledger, OrderTools, ...enhancers],
  }).compile();
  const app = testing.createNestApplication<INestApplication<App>>();
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  const logs = new CollectedLogs();
  Logger.overrideLogger(logs);
  await app.init();
  apps.push(app);
  const { runs } = app.get(Ledger);
  return { app, model, runs, logs, http: supertest(app.getHttpServer()) };
}

/** The header of a user with these roles. */
export async function tokenOf(app: INestApplication, sub: string, ...roles: string[]) {
  return `Bearer ${await app.get(JwtService, { strict: false }).signAsync({ sub, roles })}`;
}

/** What the application logs about tools. */
class CollectedLogs {
  readonly lines: string[] = [];

  text(): string {
    return this.lines.join('\n');
  }

  log(): void {}

  warn(message: unknown, ...rest: unknown[]): void {
    if (rest.includes('AgentTools')) this.lines.push(String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.warn(message, ...rest);
  }
}
