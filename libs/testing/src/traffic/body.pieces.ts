const LINE_FEED = 10;
const RETURN = 13;

/** The pieces in which a body is replayed. */
export function splitBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  size: number | undefined,
): Iterable<Uint8Array> {
  if (size !== undefined) return bySize(bytes, size);
  return contentType?.includes('event-stream') ? byEvent(bytes) : [bytes];
}

function* bySize(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** An event ends with an empty line. */
function* byEvent(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  let isEmptyLine = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED) {
      if (isEmptyLine) {
        yield bytes.subarray(start, at + 1);
        start = at + 1;
      }
      isEmptyLine = true;
    } else if (bytes[at] !== RETURN) isEmptyLine = false;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}
