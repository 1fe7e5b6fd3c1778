import type { ChatModel, ChatRequest } from '../interfaces/chat-model.interface.js';

/** Narrower than what is kept out of errors: an `Idempotency-Key` may be told. */
const CREDENTIAL = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)api-?key$|-token$/i;

/**
 * A key or an address of a request is for one server; put to the others, it would be told to them.
 *
 * @param model That has several in it.
 * @throws TypeError
 */
export function checkOwnCredentials(model: ChatModel, { settings }: ChatRequest): void {
  if (!settings) return;
  const { apiKey, baseURL, headers = {} } = settings;
  const given = [
    ...(apiKey === undefined ? [] : ['apiKey']),
    ...(baseURL === undefined ? [] : ['baseURL']),
    ...Object.keys(headers)
      .filter((header) => CREDENTIAL.test(header))
      .map((header) => `headers.${header}`),
  ];
  if (given.length === 0 || model.server !== undefined) return;
  throw new TypeError(
    `${model.name} cannot be given \`${given.join('`, `')}\` with a request: its models are of several servers, and ` +
      'each would be told. Give it to the one model that it is for, or ask that one: run(input, { model }).',
  );
}
