import { NestFactory } from '@nestjs/core';
import { AgentService, type ChatModel, getChatModelToken } from 'nestjs-agent-tools';
import { AppModule } from './app.module.js';
import { USERS } from './auth/users.data.js';
import { RunPrinter } from './run.printer.js';

/** One call, two calls side by side, and one that the guard denies. */
const QUESTIONS = [
  'Where is my order A-1042?',
  'How many LAMP-01 are in stock, and what does shipping 3 kg to Japan cost?',
  'Please refund order A-1077.',
];

const { user, question } = readArguments(process.argv.slice(2));
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const printer = new RunPrinter(process.stdout);
printer.start(app.get<ChatModel>(getChatModelToken()).name, user);

try {
  for (const text of question ? [question] : QUESTIONS) {
    printer.question(text);
    // The request is what a controller would hand on: the guards look for the user there.
    const request = { headers: {}, user };
    for await (const event of app.get(AgentService).stream(text, { request })) printer.print(event);
  }
} catch {
  // The printer has shown the `run-failed` event.
  process.exitCode = 1;
} finally {
  await app.close();
}

/** `[--as ada|sam] [question …]` */
function readArguments(args: readonly string[]) {
  const isNamed = args[0] === '--as';
  const key = isNamed ? (args[1] ?? '') : 'ada';
  const found = USERS.get(key);
  if (!found) {
    console.error(`There is no user "${key}". The users are: ${[...USERS.keys()].join(', ')}.`);
    process.exit(1);
  }
  return { user: found, question: args.slice(isNamed ? 2 : 0).join(' ') };
}
