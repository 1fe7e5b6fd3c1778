import type { AIMessageChunkFields, AIMessageFields } from '@langchain/core/messages';
import {
  ChatStreamAssembler,
  type AssistantPart,
  type ChatMessage,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { FakeChat } from './fake-chat.model.js';

export const ASK = { messages: [{ role: 'user', content: 'Well?' }] } as const;

/** What a whole message of LangChain becomes. */
export async function generated(message: AIMessageFields, type?: string): Promise<ChatResponse> {
  const fake = new FakeChat(type);
  fake.message = message;
  return fromLangChain(fake).generate(ASK, {});
}

/** What chunks of LangChain become. */
export async function streamed(
  chunks: AIMessageChunkFields[],
  type?: string,
): Promise<ChatResponse> {
  const fake = new FakeChat(type);
  fake.chunks = chunks;
  const assembler = new ChatStreamAssembler();
  for await (const delta of fromLangChain(fake).stream(ASK, {})) assembler.push(delta);
  return assembler.finish();
}

/** How LangChain's own classes hold messages of ours when they come to a model. */
export async function encoded(messages: readonly ChatMessage[], type?: string) {
  const fake = new FakeChat(type);
  await fromLangChain(fake).generate({ messages }, {});
  return fake.asked[0]?.messages ?? [];
}

/** The same for one turn of the model, as it is sent back after it was stored. */
export async function replayed(content: readonly AssistantPart[], type?: string) {
  const stored = JSON.parse(JSON.stringify(content)) as AssistantPart[];
  const [message] = await encoded([{ role: 'assistant', content: stored }], type);
  return message;
}
