import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createChatModel } from '../fixtures/chat-model.mjs';
import { decorateClass, decorateMethod } from '../fixtures/decorate.mjs';
import { threeEnhancers } from '../fixtures/enhancers.mjs';
import {
  ARGUMENTS,
  createInputSchema,
  createWork,
  DESCRIPTION,
  PROMPT,
  TOOL_NAME,
} from '../fixtures/order.mjs';
import { loadLibrary } from '../lib/library.mjs';

const LIMITS = { steps: 5_000, toolCalls: 5_000 };

/** As in production, without the debug level. */
const LOGGER = ['error', 'warn'];

async function createApplication(script) {
  const { AgentService, AgentToolsModule, Tool, ToolExecutor, ToolInput } = await loadLibrary();
  const work = createWork(script);

  class OrderTools {
    findOrder(input) {
      return work(input);
    }
  }
  decorateClass(OrderTools, [Injectable()]);
  decorateMethod(
    OrderTools,
    TOOL_NAME,
    [Tool({ description: DESCRIPTION, inputSchema: createInputSchema() }), ...threeEnhancers()],
    [ToolInput()],
  );

  class AppModule {}
  const model = createChatModel(script);
  const imports = [AgentToolsModule.forRoot({ model, limits: LIMITS })];
  Module({ imports, providers: [OrderTools] })(AppModule);

  const app = await NestFactory.createApplicationContext(AppModule, { logger: LOGGER });
  return { app, agent: app.get(AgentService), executor: app.get(ToolExecutor) };
}

export async function createRunner(script) {
  const { agent } = await createApplication(script);
  return () => agent.run(PROMPT);
}

export async function createCaller() {
  const { executor } = await createApplication({});
  return () => executor.execute(TOOL_NAME, ARGUMENTS);
}

export async function createReader(script) {
  const { agent } = await createApplication(script);
  return async () => {
    let count = 0;
    for await (const event of agent.stream(PROMPT)) {
      if (event.type === 'text-delta') count++;
    }
    return count;
  };
}
