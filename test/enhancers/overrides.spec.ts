import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentToolsModule, Tool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { moduleOf } from '../support/app.js';

@Injectable()
class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

class Service {
  answer() {
    return 'real';
  }
}

@Injectable()
class Tools {
  constructor(private readonly service: Service) {}

  @Tool('Anything.')
  @UseGuards(Deny)
  guarded() {
    return this.service.answer();
  }
}

let app: TestingModule;
afterEach(() => app.close());

describe('when a test overrides parts of the application', () => {
  const builder = () =>
    Test.createTestingModule({
      imports: [AgentToolsModule.forRoot()],
      providers: [Service, Tools],
    });

  it('denies without the override', async () => {
    app = await builder().compile();
    expect((await callTool(app, 'guarded', {})).status).toBe('denied');
  });

  it('honours overrideGuard() and overrideProvider()', async () => {
    app = await builder()
      .overrideGuard(Deny)
      .useValue({ canActivate: () => true })
      .overrideProvider(Service)
      .useValue({ answer: () => 'fake' })
      .compile();
    expect((await callTool(app, 'guarded', {})).content).toBe('fake');
  });

  it('honours overrideGuard() for a factory host if the guard stands in another module', async () => {
    class Other {
      @Tool('Anything.')
      @UseGuards(Deny)
      other() {
        return 'ran';
      }
    }
    app = await Test.createTestingModule({
      imports: [
        AgentToolsModule.forRoot(),
        moduleOf({ providers: [{ provide: 'OTHER', useFactory: () => new Other() }] }),
      ],
      providers: [Service, Tools],
    })
      .overrideGuard(Deny)
      .useValue({ canActivate: () => true })
      .compile();
    expect((await callTool(app, 'other', {})).content).toBe('ran');
  });

  it('calls a spy on the instance', async () => {
    app = await builder()
      .overrideGuard(Deny)
      .useValue({ canActivate: () => true })
      .compile();
    const spy = jest.spyOn(app.get(Tools), 'guarded').mockReturnValue('spied');
    expect((await callTool(app, 'guarded', {})).content).toBe('spied');
    expect(spy).toHaveBeenCalledTimes(1);
  });

  it('honours the override of a global guard', async () => {
    class Open {
      @Tool('Anything.')
      open() {
        return 'ran';
      }
    }
    app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot()],
      providers: [Open, Deny, { provide: APP_GUARD, useExisting: Deny }],
    })
      .overrideProvider(Deny)
      .useValue({ canActivate: () => true })
      .compile();
    expect((await callTool(app, 'open', {})).content).toBe('ran');
  });
});
