import { isErrorBody } from './provider-error.reader.js';
import type { ProviderExceptionFactory } from './provider-exception.factory.js';
import type { EventReader } from './sse.decoder.js';

/** Stands for `[DONE]`, with which some servers say that a stream is complete. */
export const DONE: unique symbol = Symbol('DONE');

/** The data of an event as it is. An event that is an error is thrown as one. */
export function textReader(exceptions: ProviderExceptionFactory): EventReader<string> {
  return (data, name) => {
    const isError = name === 'error';
    // Looked for as text: to parse every event would cost it twice. Quotes within a JSON string are
    // escaped, so what a model writes is not mistaken for one.
    if (!isError && !data.includes('"error"')) return data;
    const body = parseLoosely(data);
    if (isError || isErrorBody(body)) throw exceptions.fromBody(body);
    return data;
  };
}

/** The JSON of an event. An event that is an error is thrown as one. */
export function jsonReader(exceptions: ProviderExceptionFactory): EventReader<unknown> {
  return (data, name) => {
    if (name === 'error') throw exceptions.fromBody(parseLoosely(data));
    if (data.startsWith('[DONE]')) return DONE;
    const body = exceptions.parse(data);
    if (isErrorBody(body)) throw exceptions.fromBody(body);
    return body;
  };
}

/** What is no JSON is itself the message of an error. */
function parseLoosely(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
