/**
 * Whether a base URL leads to one of the hosts, or to a subdomain of one.
 *
 * @publicApi
 */
export function isHostOf(baseURL: string, hosts: readonly string[] = []): boolean {
  const host = hostOf(baseURL);
  return hosts.some((known) => host === known || host.endsWith(`.${known}`));
}

/** Whether two base URLs lead to the same server. */
export function isSameServer(one: string, other: string): boolean {
  if (one === other) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** In lower case, without the port; empty for what is no URL. */
function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
}
