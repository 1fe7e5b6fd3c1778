import { isErrorBody } from './provider-error.reader.js';
import type { HttpExceptionFactory } from './http-exception.factory.js';
import type { EventReader } from './sse.decoder.js';

/** Stands for `[DONE]`, with which some servers say that a stream is complete. */
export const DONE: unique symbol = Symbol('DONE');

/** The JSON of an event. An event that is an error is thrown as one. */
export function jsonReader(exceptions: HttpExceptionFactory): EventReader<unknown> {
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
