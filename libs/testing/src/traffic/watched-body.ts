type OnEnd = (bytes: Buffer, interrupted: boolean) => void;

/**
 * The same answer, whose body is handed on piece by piece as its reader asks for it. `Response#clone()`
 * would go on reading for the copy when the reader has stopped.
 *
 * @param onEnd told once, before the reader learns of the end
 */
export function watchBody(response: Response, onEnd: OnEnd): Response {
  const { body, status, statusText, headers, url } = response;
  if (!body) {
    onEnd(Buffer.alloc(0), false);
    return response;
  }
  const watched = new Response(toWatched(body, onEnd), { status, statusText, headers });
  return Object.defineProperty(watched, 'url', { value: url });
}

function toWatched(body: ReadableStream<Uint8Array>, onEnd: OnEnd): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  const end = (interrupted: boolean): void => onEnd(Buffer.concat(pieces), interrupted);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end(true);
          throw error;
        });
        if (done) {
          end(false);
          controller.close();
          return;
        }
        // A copy: what the reader does with its piece is its own business.
        pieces.push(value.slice());
        controller.enqueue(value);
      },
      async cancel(reason) {
        end(true);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
