import 'reflect-metadata';
import { Injectable, Logger, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentService,
  AgentToolsModule,
  JsonSchema,
  Tool,
  ToolExecutor,
  ToolInput,
  ToolParam,
} from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { scripted } from 'nestjs-agent-tools/testing';

// Each line that this prints is compared by the smoke test.
Logger.overrideLogger(false);

const ORDER: JsonSchema = { type: 'object', properties: { orderNo: { type: 'string' } } };

class RefundDto {
  orderNo: string;
}

@Injectable()
class ParamTools {
  @Tool('Look up one order by its number.')
  findOrder(@ToolParam('orderNo') orderNo: string, @ToolParam('loud') loud: boolean) {
    return loud ? `${orderNo} IS SHIPPED` : `${orderNo} is shipped`;
  }
}

@Injectable()
class DtoTools {
  @Tool('Refund an order.')
  refund(@ToolInput() input: RefundDto) {
    return input;
  }
}

@Injectable()
class JsonSchemaTools {
  @Tool({ description: 'Refund an order.', inputSchema: ORDER })
  refund(@ToolInput() input: unknown) {
    return input;
  }
}

function boot(tools: Type) {
  const model = scripted([
    { tool: 'findOrder', arguments: { orderNo: 'A-17', loud: false } },
    'It is shipped.',
  ]);

  @Module({ imports: [AgentToolsModule.forRoot({ model })], providers: [tools] })
  class AppModule {}

  return NestFactory.createApplicationContext(AppModule, { abortOnError: false });
}

async function runTool(): Promise<void> {
  const app = await boot(ParamTools);
  const called = await app.get(ToolExecutor).execute('findOrder', { orderNo: 'A-17', loud: true });
  const { text, steps } = await app.get(AgentService).run('Where is A-17?');
  const refused = await app.get(ToolExecutor).execute('findOrder', { orderNo: 17, loud: {} });
  console.log(`tool: ${called.content}`);
  console.log(`agent: ${steps[0].toolResults[0].content} / ${text}`);
  console.log(`wrong input: ${refused.status}`);
  console.log(`model: ${typeof openai({ model: 'any', apiKey: 'none' }).generate}`);
  await app.close();
}

async function refusalOf(tools: Type): Promise<string> {
  try {
    const app = await boot(tools);
    await app.close();
    return 'nothing';
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ');
  }
}

await runTool();
console.log(`DTO: ${await refusalOf(DtoTools)}`);
console.log(`JSON Schema: ${await refusalOf(JsonSchemaTools)}`);
