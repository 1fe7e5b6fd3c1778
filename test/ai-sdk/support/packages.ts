import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createAnthropic as createAnthropicV2 } from 'ai-sdk-anthropic-v2';
import { createOpenAI as createOpenAIV2 } from 'ai-sdk-openai-v2';
import { createOpenAI as createOpenAIV3 } from 'ai-sdk-openai-v3';
import type { AiSdkLanguageModel } from 'nestjs-agent-tools/ai-sdk';
import { chat, messages, responses, type Wire } from './wires.js';

export const KEY = 'sk-test-key-123456';

export interface PackageCase {
  readonly name: string;
  readonly wire: Wire;
  readonly make: (url: string, model?: string) => AiSdkLanguageModel;
}

const settingsFor = (url: string) => ({ baseURL: `${url}/v1`, apiKey: KEY });
const GPT = 'gpt-4.1';
const CLAUDE = 'claude-sonnet-4-5';

const openAIs = [
  ['V2', createOpenAIV2],
  ['V3', createOpenAIV3],
  ['V4', createOpenAI],
] as const;

const CHAT: PackageCase[] = openAIs.map(([version, create]) => ({
  name: `OpenAI ${version}, Chat Completions`,
  wire: chat,
  make: (url, model = GPT) => create(settingsFor(url)).chat(model),
}));

export const RESPONSES: PackageCase[] = openAIs.map(([version, create]) => ({
  name: `OpenAI ${version}, Responses`,
  wire: responses,
  make: (url, model = GPT) => create(settingsFor(url))(model),
}));

export const ANTHROPIC: PackageCase[] = (
  [
    ['V2', createAnthropicV2],
    ['V4', createAnthropic],
  ] as const
).map(([version, create]) => ({
  name: `Anthropic ${version}`,
  wire: messages,
  make: (url, model = CLAUDE) => create(settingsFor(url))(model),
}));

export const ALL = [...CHAT, ...RESPONSES, ...ANTHROPIC];
