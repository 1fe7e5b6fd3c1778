import { isCredentialName } from '../requests/secrets.js';
import type { ChatModel, ChatRequest } from '../interfaces/chat-model.interface.js';

/**
 * A key or an address of a request is for one provider; put to the others, it would be told to them.
 *
 * @throws TypeError
 */
export function checkOwnCredentials(
  name: string,
  models: readonly ChatModel[],
  { settings }: ChatRequest,
): void {
  if (!settings) return;
  const { apiKey, baseURL, headers = {} } = settings;
  const given = [
    ...(apiKey === undefined ? [] : ['apiKey']),
    ...(baseURL === undefined ? [] : ['baseURL']),
    ...Object.keys(headers)
      .filter(isCredentialName)
      .map((header) => `headers.${header}`),
  ];
  const providers = new Set(models.map((model) => model.name.split(':')[0]));
  if (given.length === 0 || providers.size === 1) return;
  throw new TypeError(
    `${name} cannot be given \`${given.join('`, `')}\` with a request: its models are of several providers, and ` +
      'each would be told. Give it to the one model that it is for, or ask that one: run(input, { model }).',
  );
}
