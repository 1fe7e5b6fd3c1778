import type { RecordedInteraction } from '../interfaces/traffic.interface.js';

/** Whether a value of a file, which people edit, is an interaction. */
export function isInteraction(value: unknown): value is RecordedInteraction {
  if (!isObject(value) || !isObject(value.request) || !isObject(value.response)) return false;
  const { request, response } = value;
  return (
    typeof request.method === 'string' &&
    typeof request.uri === 'string' &&
    URL.canParse(request.uri) &&
    isBody(request.body) &&
    Number.isInteger(response.status) &&
    isHeaders(response.headers) &&
    isBody(response.body)
  );
}

function isBody(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'object';
}

function isHeaders(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
