import type { RecordTrafficOptions } from './interfaces/traffic.interface.js';
import { checkFile, checkTestOptions, checkTexts, describe } from './checks/check-test-options.js';
import { prepareTraffic } from './traffic/traffic.file.js';
import { TrafficRecorder } from './traffic/traffic.recorder.js';

const OPTION_NAMES = [
  'fetch',
  'headers',
  'secrets',
] as const satisfies readonly (keyof RecordTrafficOptions)[];

/**
 * A `fetch` for a model that keeps each request with its answer in a file, for `replayTraffic()`. It
 * begins the file anew, and writes it whenever an answer was read to its end; what was broken off is
 * kept as far as it came, marked `interrupted`, and a request without an answer is left out. The file
 * has no credentials: headers, parameters and fields that are named like some, their values wherever
 * they occur, and what looks like a key of a provider are replaced by `[redacted]`. If it can no longer be
 * written, the answer is given all the same, the log says so, and the next request is an error.
 *
 * ```ts
 * openai({ model: 'gpt-5-mini', fetch: recordTraffic('test/traffic/refund.json') });
 * ```
 *
 * @throws TypeError without a path, or for an option that there is not; Error if the file cannot be written
 * @publicApi
 */
export function recordTraffic(file: string, options: RecordTrafficOptions = {}): typeof fetch {
  checkFile('recordTraffic', file);
  checkTestOptions('recordTraffic()', options, OPTION_NAMES);
  checkTexts('`headers` of recordTraffic()', options.headers);
  checkTexts('`secrets` of recordTraffic()', options.secrets);
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw new TypeError(
      `\`fetch\` of recordTraffic() must be a function, not ${describe(options.fetch)}.`,
    );
  }
  prepareTraffic(file);
  const recorder = new TrafficRecorder(file, options);
  return (...args) => recorder.send(...args);
}
