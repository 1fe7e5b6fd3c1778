import { createOpenAI } from '@ai-sdk/openai';
import { RunnableLambda } from '@langchain/core/runnables';
import { FakeListChatModel, FakeEmbeddings } from '@langchain/core/utils/testing';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, it } from '@jest/globals';
import { ChatModelException } from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { scripted } from 'nestjs-agent-tools/testing';
import { chatOpenAI } from './support/chat-completions.js';
import { FakeChat } from './support/fake-chat.model.js';

const sdk = createOpenAI({ apiKey: 'k' });

describe('fromLangChain() says what it got in place of a model', () => {
  it.each<[string, unknown]>([
    ['the text "gpt-5-mini"', 'gpt-5-mini'],
    ['nothing', undefined],
    ['nothing', null],
    ['something else', {}],
    ['the function or class ChatOpenAI, not what it makes', ChatOpenAI],
    ['a function, not what it makes', () => new FakeChat()],
    ['a model with tools or options bound to it', new FakeChat().bindTools([])],
    ['a model with tools or options bound to it', new FakeChat().withConfig({ tags: ['a'] })],
    [
      'a model with tools or options bound to it',
      new FakeChat().withFallbacks([new FakeListChatModel({ responses: [] })]),
    ],
    ['an embedding model', new FakeEmbeddings()],
    ['a model of the AI SDK, which is for fromAiSdk()', sdk('gpt-5-mini')],
    ['a model of the AI SDK, which is for fromAiSdk()', sdk.embedding('text-embedding-3-small')],
    ['a chat model of this package, which needs no adapter', scripted([])],
    ['something else', RunnableLambda.from((text: string) => text)],
  ])('%s', (what, model) => {
    const make = () => fromLangChain(model as never);
    expect(make).toThrow(ChatModelException);
    expect(make).toThrow(`needs a chat model of LangChain`);
    expect(make).toThrow(`and got ${what}. Give the model itself`);
  });

  it('a model of OpenAI with tools bound to it, which is a model again', () => {
    const model = chatOpenAI('http://127.0.0.1:1');
    for (const bound of [
      model.bindTools([]),
      model.withConfig({ tool_choice: 'none' }),
      model.bindTools([{ type: 'function', function: { name: 'a', parameters: {} } }]),
    ]) {
      expect(() => fromLangChain(bound as never)).toThrow('a model with tools bound to it');
    }
    expect(() => fromLangChain(model.withConfig({ seed: 1 }) as never)).not.toThrow();
  });
});
