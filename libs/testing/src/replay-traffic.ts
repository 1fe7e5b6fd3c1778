import type { ReplayFetch, ReplayTrafficOptions } from './interfaces/traffic.interface.js';
import { checkFile, checkTestOptions, checkTexts } from './checks/check-test-options.js';
import { markOffline } from './fetch/offline-fetch.js';
import { readTraffic } from './traffic/traffic.file.js';
import { TrafficPlayer } from './traffic/traffic.player.js';

const OPTION_NAMES = [
  'ignore',
  'chunkSize',
] as const satisfies readonly (keyof ReplayTrafficOptions)[];

/**
 * A `fetch` for a model that answers from a file of `recordTraffic()`, without a network. A request
 * gets the first recording that was not used yet and has the same method, path, query and body; the
 * host and the headers do not count. Without one it fails, and the error says what differs. Any API key
 * will do.
 *
 * ```ts
 * const fetch = replayTraffic('test/traffic/refund.json');
 * const model = openai({ model: 'gpt-5-mini', apiKey: 'test', fetch });
 * ```
 *
 * @throws Error if the file is missing, or is no recording, or an option is not of use
 * @publicApi
 */
export function replayTraffic(file: string, options: ReplayTrafficOptions = {}): ReplayFetch {
  checkFile('replayTraffic', file);
  checkTestOptions('replayTraffic()', options, OPTION_NAMES);
  checkTexts('`ignore` of replayTraffic()', options.ignore);
  const { chunkSize } = options;
  if (chunkSize !== undefined && !(Number.isInteger(chunkSize) && chunkSize > 0)) {
    throw new Error(
      `replayTraffic() needs a whole number from 1 as \`chunkSize\`, not ${chunkSize}.`,
    );
  }
  const player = new TrafficPlayer(file, readTraffic(file), options);
  const send: typeof fetch = (...args) => player.send(...args);
  return markOffline(Object.assign(send, { assertComplete: () => player.assertComplete() }));
}
