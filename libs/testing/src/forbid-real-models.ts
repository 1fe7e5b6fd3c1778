import { setRequestPolicy } from 'nestjs-agent-tools/model-kit';
import { checkTestOptions, describe } from './checks/check-test-options.js';
import type {
  AllowRealModels,
  ForbidRealModelsOptions,
} from './interfaces/forbid-real-models.interface.js';
import { isOffline } from './fetch/offline-fetch.js';

/**
 * From now on a request of a chat model over HTTP is an error, unless it goes through a `fetch` of this
 * library that needs no network (`replayTraffic()`, `fromChunks()`). Call it once, in a file of Jest's
 * `setupFilesAfterEnv`, and no test spends money by mistake. If it is called again, the latest call
 * that was not undone counts.
 *
 * ```ts
 * const allowRealModels = forbidRealModels({ allow: (url) => url?.hostname === 'localhost' });
 * ```
 *
 * @returns allows them again
 * @throws TypeError for an option that there is not, and for an `allow` that is no function
 * @publicApi
 */
export function forbidRealModels(options: ForbidRealModelsOptions = {}): AllowRealModels {
  const allow = allowOf(options);
  const undo = setRequestPolicy((url, { fetch: send, label }) => {
    if (isOffline(send ?? globalThis.fetch)) return true;
    if (!allow) return false;
    const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
    return allow(address, label);
  });
  // Without `Symbol.dispose` there is no `using` either.
  const { dispose } = Symbol as { readonly dispose?: symbol };
  if (dispose) Object.defineProperty(undo, dispose, { value: undo });
  return undo as AllowRealModels;
}

function allowOf(options: ForbidRealModelsOptions): ForbidRealModelsOptions['allow'] {
  const known = ['allow'] satisfies (keyof ForbidRealModelsOptions)[];
  checkTestOptions('forbidRealModels()', options, known);
  const { allow } = options;
  if (allow === undefined || typeof allow === 'function') return allow;
  throw new TypeError(
    `forbidRealModels({ allow }) needs a function: allow: (url) => url?.hostname === 'localhost'; it was given ${describe(allow)}.`,
  );
}
