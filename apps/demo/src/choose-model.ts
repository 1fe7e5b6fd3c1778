import type { ChatModel } from 'nestjs-agent-tools';
import { offline } from 'nestjs-agent-tools/offline';
import { openai } from 'nestjs-agent-tools/openai';

/** A real model if the environment names a server or holds a key, else the rules that need neither. */
export function chooseModel(env: NodeJS.ProcessEnv = process.env): ChatModel {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = env;
  if (!apiKey && !baseURL) return offline();
  return openai({ model: model ?? 'gpt-5-mini', apiKey, baseURL });
}
