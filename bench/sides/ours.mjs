import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createChatModel } from '../fixtures/chat-model.mjs';
import { createHost } from '../fixtures/forms.mjs';
import {
  ARGUMENTS,
  createInputSchema,
  DESCRIPTION,
  PROMPT,
  TOOL_NAME,
} from '../fixtures/order.mjs';
import { loadLibrary } from '../lib/library.mjs';

const LIMITS = { steps: 5_000, toolCalls: 5_000 };

/** As in production, without the debug level. */
const LOGGER = ['error', 'warn'];

async function createApplication(script, form) {
  const { AgentService, AgentToolsModule, Tool, ToolExecutor, ToolInput } = await loadLibrary();
  const options = { description: DESCRIPTION, inputSchema: createInputSchema() };
  const OrderTools = createHost({
    script,
    form,
    decorators: [Tool(options)],
    parameter: ToolInput(),
  });

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

export async function createCaller(form) {
  const { executor } = await createApplication({}, form);
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
