import type { ChatModelMiddleware } from './interfaces/chat-model-middleware.interface.js';

/**
 * A middleware that is skipped does not redact, limit or log, and nobody would notice.
 *
 * @throws TypeError
 */
export function checkMiddleware(
  middleware: ChatModelMiddleware | null | undefined,
  position: number,
): void {
  const place = `The middleware at position ${position} of withMiddleware()`;
  if (middleware === null || typeof middleware !== 'object') {
    const found = typeof middleware === 'function' ? 'a function' : String(middleware);
    throw new TypeError(
      `${place} is ${found}. Give an object, or an instance of a class, with \`request\`, or with \`generate\` and \`stream\`.`,
    );
  }
  for (const name of ['request', 'generate', 'stream'] as const) {
    const method: unknown = middleware[name];
    if (method === undefined || typeof method === 'function') continue;
    throw new TypeError(`${place} has a \`${name}\` that is no method. Make it one.`);
  }
  const { generate, stream, request } = hasMethods(middleware);
  if (!generate && !stream && !request) {
    throw new TypeError(
      `${place} has none of the methods \`request\`, \`generate\` and \`stream\`, so it would do nothing.`,
    );
  }
  if (generate === stream) return;
  const [has, lacks] = generate ? ['generate', 'stream'] : ['stream', 'generate'];
  throw new TypeError(
    `${place} has \`${has}\` but no \`${lacks}\`, so it would be skipped by the requests that use ` +
      `\`${lacks}\`. Add \`${lacks}\`, which may give what \`next.${lacks}(request, options)\` gives.`,
  );
}

function hasMethods(middleware: ChatModelMiddleware): Record<keyof ChatModelMiddleware, boolean> {
  return {
    request: middleware.request !== undefined,
    generate: middleware.generate !== undefined,
    stream: middleware.stream !== undefined,
  };
}
