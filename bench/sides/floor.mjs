import { Body, Injectable, Module } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
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

const ROUTE_ARGUMENTS = '__routeArguments__';
const INPUT = { exchangeKeyForValue: (_type, _data, args) => args[0] };

/** What an application can write itself: the tool through Nest's pipeline for calls without HTTP. */
async function createTool(script) {
  const work = createWork(script);

  class OrderTools {
    findOrder(input) {
      return work(input);
    }
  }
  decorateClass(OrderTools, [Injectable()]);
  decorateMethod(OrderTools, TOOL_NAME, threeEnhancers(), [Body()]);

  class AppModule {}
  Module({ providers: [OrderTools] })(AppModule);

  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const host = app.get(OrderTools);
  return app
    .get(ExternalContextCreator)
    .create(
      host,
      host.findOrder,
      TOOL_NAME,
      ROUTE_ARGUMENTS,
      INPUT,
      undefined,
      undefined,
      undefined,
      'agent-tool',
    );
}

/** The least that can be called a ReAct loop: no limits, no errors, no abort, no ids, no events. */
export async function createRunner(script) {
  const tools = new Map([[TOOL_NAME, await createTool(script)]]);
  const model = createChatModel(script);
  const chatTools = [{ name: TOOL_NAME, description: DESCRIPTION }];

  const call = async ({ id, name, arguments: json }) => {
    const value = await tools.get(name)(JSON.parse(json));
    return { type: 'tool-result', callId: id, name, content: JSON.stringify(value) };
  };
  return async () => {
    const messages = [{ role: 'user', content: PROMPT }];
    for (;;) {
      const { content } = await model.generate({ messages, tools: chatTools });
      messages.push({ role: 'assistant', content });
      const calls = content.filter((part) => part.type === 'tool-call');
      if (calls.length === 0) return content[0].text;
      messages.push({ role: 'tool', content: await Promise.all(calls.map(call)) });
    }
  };
}

export async function createCaller() {
  const tool = await createTool({});
  const schema = createInputSchema();
  return () => tool(schema.parse(JSON.parse(ARGUMENTS)));
}

export async function createReader(script) {
  const model = createChatModel(script);
  const read = async function* () {
    let text = '';
    for await (const delta of model.stream()) {
      if (delta.type !== 'text') continue;
      text += delta.text;
      yield { type: 'text-delta', text: delta.text };
    }
    return text;
  };
  return async () => {
    let count = 0;
    for await (const event of read()) {
      if (event.type === 'text-delta') count++;
    }
    return count;
  };
}
