import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentService, getChatModelToken } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { AppModule } from './app.module';

describe('AppModule', () => {
  let app: INestApplication;

  afterEach(() => app.close());

  it('answers with the model of the application', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = await module.createNestApplication().init();
    const { text } = await app.get(AgentService).run('What is the status of order A-17?');
    expect(text).toContain('shipped');
  });

  it('can be given another model', async () => {
    const model = openai({
      model: 'any',
      apiKey: 'none',
      fetch: async () => Response.json({ choices: [{ message: { content: 'Hello!' } }] }),
    });
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(getChatModelToken())
      .useValue(model)
      .compile();
    app = await module.createNestApplication().init();
    const { text } = await app.get(AgentService).run('Hello?');
    expect(text).toBe('Hello!');
  });
});
