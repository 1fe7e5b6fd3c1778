import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';

/**
 * Decides whether a request to a model may be made.
 *
 * @param url undefined if the model does not know where its request goes
 * @publicApi
 */
export type RequestPolicy = (
  url: string | undefined,
  options: Pick<HttpRequestOptions, 'label' | 'fetch'>,
) => boolean;

/** The latest counts. An entry of its own, so that a policy may be set twice. */
const policies: { readonly isAllowed: RequestPolicy }[] = [];

/**
 * Puts a policy in front of all requests to models, for tests. The latest that is in force decides.
 *
 * @returns ends it, in whatever order several are ended
 * @publicApi
 */
export function setRequestPolicy(isAllowed: RequestPolicy): () => void {
  const entry = { isAllowed };
  policies.push(entry);
  return () => {
    const index = policies.indexOf(entry);
    if (index >= 0) policies.splice(index, 1);
  };
}

/**
 * For models that send requests by other means than `createHttpChatModel()`: call it before each.
 *
 * @param url undefined if the model does not know where its request goes
 * @param options `label` is the name of the model, `fetch` the one that it will use.
 * @throws ChatModelException if a test has forbidden the request
 * @publicApi
 */
export function checkRealRequest(
  url: string | undefined,
  options: Pick<HttpRequestOptions, 'label' | 'fetch'>,
): void {
  const policy = policies.at(-1);
  if (!policy || policy.isAllowed(url, options)) return;
  const host = url && URL.canParse(url) ? ` at ${new URL(url).host}` : '';
  const replay = url === undefined ? '' : ' or a `fetch` of replayTraffic()';
  throw new ChatModelException(
    `${options.label} must not be asked${host}: forbidRealModels() is in force. Give the test a scripted() ` +
      `model${replay}, or allow it: forbidRealModels({ allow: … }).`,
  );
}
