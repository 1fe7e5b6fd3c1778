// What the replay of recorded traffic needs to know of each protocol.
import { anthropic, toAnthropicBody } from '../../dist/anthropic/index.js';
import { gemini, toGeminiBody } from '../../dist/gemini/index.js';
import {
  openai,
  openaiResponses,
  toChatCompletionsBody,
  toResponsesBody,
} from '../../dist/openai/index.js';
import * as messagesAnswer from './anthropic.answer.mjs';
import * as messagesRequest from './anthropic.request.mjs';
import * as completionsAnswer from './chat-completions.answer.mjs';
import * as completionsRequest from './chat-completions.request.mjs';
import * as geminiAnswer from './gemini.answer.mjs';
import * as geminiRequest from './gemini.request.mjs';
import * as responsesAnswer from './responses.answer.mjs';
import * as responsesRequest from './responses.request.mjs';

const pathOf = (uri) => new URL(uri).pathname;
const modelIn = (uri) => /models\/([^:]+):/.exec(pathOf(uri))[1];
const OPTIONS = { apiKey: 'sk-recorded', retry: { maxRetries: 0 } };
const PROFILES = { 'openai-responses': 'openai' };
const profileOf = (provider) => PROFILES[provider] ?? provider;

/**
 * `isChat`: whether an interaction is a chat. `create`: a model that reads an answer. `textIn`: the
 * text in one event of a stream, `finish`: the event with which the answer is complete. `encode`: the
 * body that the library makes of a recorded one.
 */
export const PROTOCOLS = [
  {
    name: 'Chat Completions',
    isChat: ({ method, uri }) => method === 'POST' && pathOf(uri).endsWith('/chat/completions'),
    create: (_, fetch) => openai({ ...OPTIONS, model: 'recorded', fetch }),
    ...completionsAnswer,
    textIn: ({ choices }) =>
      (choices ?? [])
        .flatMap(({ delta }) => [delta?.content ?? '', delta?.refusal ?? ''].flat())
        .map((part) => (typeof part === 'string' ? part : (part.text ?? '')))
        .join(''),
    finish: ({ choices }) => choices?.some((choice) => choice.finish_reason),
    ...completionsRequest,
    encode: ({ body }, provider) => {
      const { request, options } = completionsRequest.readRequest(body, provider);
      return toChatCompletionsBody(request, options);
    },
  },
  {
    name: 'Responses',
    isChat: ({ method, uri }) =>
      (method === 'POST' && pathOf(uri).endsWith('/responses')) ||
      (method === 'GET' && /\/responses\/[^/]+$/.test(pathOf(uri))),
    create: ({ provider }, fetch) =>
      openaiResponses({ ...OPTIONS, model: 'recorded', profile: profileOf(provider), fetch }),
    ...responsesAnswer,
    textIn: ({ type, delta }) =>
      /^response\.(?:output_text|refusal)\.delta$/.test(type) ? delta : '',
    finish: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
    ...responsesRequest,
    encode: ({ body }, provider) => {
      const { request, options } = responsesRequest.readRequest(body, profileOf(provider));
      return toResponsesBody(request, options);
    },
  },
  {
    name: 'Messages',
    isChat: ({ method, uri }) => method === 'POST' && pathOf(uri).endsWith('/v1/messages'),
    create: (_, fetch) => anthropic({ ...OPTIONS, model: 'claude-recorded', fetch }),
    ...messagesAnswer,
    textIn: ({ content_block: block, delta }) =>
      (block?.type === 'text' ? block.text : '') + (delta?.type === 'text_delta' ? delta.text : ''),
    finish: ({ type, delta }) => type === 'message_delta' && delta.stop_reason,
    ...messagesRequest,
    encode: ({ body }) => {
      const { request, options } = messagesRequest.readRequest(body);
      return toAnthropicBody(request, options);
    },
  },
  {
    name: 'Gemini',
    isChat: ({ method, uri }) =>
      method === 'POST' && /:(?:generateContent|streamGenerateContent)$/.test(pathOf(uri)),
    create: ({ request }, fetch) => gemini({ ...OPTIONS, model: modelIn(request.uri), fetch }),
    ...geminiAnswer,
    textIn: ({ candidates }) =>
      (candidates?.[0]?.content?.parts ?? [])
        .filter(({ thought }) => !thought)
        .map(({ text }) => text ?? '')
        .join(''),
    finish: ({ candidates }) => candidates?.[0]?.finishReason,
    ...geminiRequest,
    encode: ({ body, uri }) => {
      const { request, options } = geminiRequest.readRequest(body);
      return toGeminiBody(request, { model: modelIn(uri), ...options });
    },
  },
];
