import type { ChatModel } from 'nestjs-agent-tools';
import { encodeChunks } from './fetch/chunk.encoder.js';
import { checkChunkOptions, checkScript } from './checks/check-chunks.js';
import type {
  ChunkModelFactory,
  FromChunksOptions,
  RawChunk,
} from './interfaces/from-chunks.interface.js';
import { TestSetupException } from './fetch/test-setup.exception.js';
import { markOffline } from './fetch/offline-fetch.js';
import { playBody } from './fetch/played-body.js';

/**
 * A real model whose server answers one request with the given pieces, for what a provider really sends
 * or should not have sent. `generate()` takes one object, the whole answer.
 *
 * ```ts
 * const model = fromChunks(openai, [{ choices: [{ delta: { content: 'Hi' } }] }], { done: true });
 * ```
 *
 * @throws TypeError without the factory of a model or a list of pieces, or for an option that is not of use
 * @publicApi
 */
export function fromChunks(
  factory: ChunkModelFactory,
  chunks: readonly RawChunk[],
  options: FromChunksOptions = {},
): ChatModel {
  checkScript(factory, chunks);
  checkChunkOptions(options);
  const { end = 'close', status = 200 } = options;
  let asked = 0;
  const send: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    if (++asked > 1) {
      throw new TestSetupException(
        `The chunks of fromChunks() are one answer, but the model sent request number ${asked}. ` +
          'Make a model for each answer.',
      );
    }
    const headers = new Headers(options.headers);
    const isStream = wantsStream(input, init, headers, status);
    if (!headers.has('content-type')) {
      headers.set('content-type', isStream ? 'text/event-stream' : 'application/json');
    }
    const pieces = encodeChunks(chunks, isStream, options.done ?? false);
    return new Response(playBody(pieces, end, signal), { status, headers });
  };
  return factory({
    model: 'from-chunks',
    apiKey: 'test-key',
    fetch: markOffline(send),
    retry: { maxRetries: 0 },
  });
}

/** Errors are JSON for streams, too. */
function wantsStream(
  input: string | URL | Request,
  init: RequestInit | undefined,
  headers: Headers,
  status: number,
): boolean {
  const given = headers.get('content-type');
  if (given !== null) return given.includes('event-stream');
  if (status >= 400) return false;
  const asked = new Headers(
    init?.headers ?? (input instanceof Request ? input.headers : undefined),
  );
  return asked.get('accept')?.includes('json') !== true;
}
