import { Body, Module } from '@nestjs/common';
import {
  ContextIdFactory,
  DiscoveryModule,
  DiscoveryService,
  ExternalContextCreator,
  ModuleRef,
  NestFactory,
} from '@nestjs/core';
import { createChatModel } from '../fixtures/chat-model.mjs';
import { createHost } from '../fixtures/forms.mjs';
import {
  ARGUMENTS,
  createInputSchema,
  DESCRIPTION,
  PROMPT,
  TOOL_NAME,
} from '../fixtures/order.mjs';

const ROUTE_ARGUMENTS = '__routeArguments__';
const INPUT = { exchangeKeyForValue: (_type, _data, args) => args[0] };

/** What an application can write itself: the tool through Nest's pipeline for calls without HTTP. */
async function createTool(script, form) {
  const OrderTools = createHost({ script, form, parameter: Body() });

  class AppModule {}
  Module({ imports: [DiscoveryModule], providers: [OrderTools] })(AppModule);

  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const creator = app.get(ExternalContextCreator);
  const wrapper = app
    .get(DiscoveryService)
    .getProviders()
    .find(({ token }) => token === OrderTools);
  return wrapper.isDependencyTreeStatic()
    ? bind(creator, app.get(OrderTools))
    : bindPerCall(creator, app.get(ModuleRef), wrapper);
}

function bind(creator, host, contextId, inquirerId) {
  return creator.create(
    host,
    host[TOOL_NAME],
    TOOL_NAME,
    ROUTE_ARGUMENTS,
    INPUT,
    contextId,
    inquirerId,
    undefined,
    'agent-tool',
  );
}

/** As @nestjs/graphql calls a resolver that belongs to the request. */
function bindPerCall(creator, moduleRef, { token, id }) {
  return async (input) => {
    const request = { input };
    const contextId = ContextIdFactory.getByRequest(request);
    moduleRef.registerRequestByContextId(request, contextId);
    const host = await moduleRef.resolve(token, contextId, { strict: false });
    return bind(creator, host, contextId, id)(input);
  };
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

export async function createCaller(form) {
  const tool = await createTool({}, form);
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
