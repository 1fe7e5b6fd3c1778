/**
 * A block of a message's content, such as `{ type: 'text', text: 'Hello' }`.
 *
 * @publicApi
 */
export interface LangChainBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * A message in the plain form that LangChain takes in place of its own classes.
 *
 * @publicApi
 */
export interface LangChainMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | LangChainBlock[];
  readonly [field: string]: unknown;
}

/**
 * What is asked: a chat model of LangChain, with tools bound to it or not.
 *
 * @publicApi
 */
export interface LangChainRunnable {
  invoke(input: LangChainMessage[], options?: object): Promise<object>;
  stream(input: LangChainMessage[], options?: object): Promise<AsyncIterable<object>>;
}

/**
 * A chat model of LangChain: `ChatOpenAI`, `ChatAnthropic` and every other subclass of its
 * `BaseChatModel`. It is described by its shape, so that this package does not depend on LangChain.
 *
 * @publicApi
 */
export interface LangChainModel extends LangChainRunnable {
  _llmType(): string;
  bindTools?(tools: object[], options?: object): LangChainRunnable;
}
