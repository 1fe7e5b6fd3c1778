import { ChatModelException } from 'nestjs-agent-tools';

export const OPENAI_URL = 'https://api.openai.com/v1';

/** Whether a base URL leads to OpenAI itself; its regions have hosts of their own. */
export function isOpenAI(baseURL = OPENAI_URL): boolean {
  return /^https?:\/\/(?:[\w-]+\.)?api\.openai\.com(?:[:/?]|$)/i.test(baseURL);
}

/** Whether a base URL has the port on which Ollama listens if nobody changes it. */
export function isOllama(baseURL: string): boolean {
  return URL.canParse(baseURL) && new URL(baseURL).port === '11434';
}

/**
 * The address to send to. A query stays behind the path.
 *
 * @throws ChatModelException if `baseURL` is no URL.
 */
export function toEndpoint(baseURL: string, label: string): string {
  if (!URL.canParse(baseURL)) {
    throw new ChatModelException(
      `${label} cannot use the base URL "${baseURL}". ` +
        'Give a whole one, such as http://localhost:11434/v1.',
    );
  }
  const url = new URL(baseURL);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url.href;
}
