import type { RecordTrafficOptions } from './interfaces/traffic.interface.js';
import { TrafficRecorder } from './traffic/traffic.recorder.js';

/**
 * A `fetch` for a model that keeps each request with its answer in a file, for `replayTraffic()`. It
 * begins the file anew, and writes it whenever an answer was read to its end; what was broken off is
 * kept as far as it came, marked `interrupted`, and a request without an answer is left out. The file
 * has no credentials: headers, parameters and fields that are named like some, their values wherever
 * they occur, and what looks like a key of a provider are replaced by `[redacted]`.
 *
 * ```ts
 * openai({ model: 'gpt-5-mini', fetch: recordTraffic('test/traffic/refund.json') });
 * ```
 *
 * @publicApi
 */
export function recordTraffic(file: string, options: RecordTrafficOptions = {}): typeof fetch {
  const recorder = new TrafficRecorder(file, options);
  return (...args) => recorder.send(...args);
}
