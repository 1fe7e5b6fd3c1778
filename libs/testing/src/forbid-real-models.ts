import { setRequestPolicy } from 'nestjs-agent-tools/model-kit';
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
 * @publicApi
 */
export function forbidRealModels({ allow }: ForbidRealModelsOptions = {}): AllowRealModels {
  const undo = setRequestPolicy((url, options) => {
    if (isOffline(options.fetch ?? globalThis.fetch)) return true;
    if (!allow) return false;
    const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
    return allow(address, options.label);
  });
  // Without `Symbol.dispose` there is no `using` either.
  const { dispose } = Symbol as { readonly dispose?: symbol };
  if (dispose) Object.defineProperty(undo, dispose, { value: undo });
  return undo as AllowRealModels;
}
