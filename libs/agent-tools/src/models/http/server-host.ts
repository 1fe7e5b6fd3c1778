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

/**
 * What tells a server from all others: its host with the port, which no name of a provider has. Undefined
 * for what is no URL.
 *
 * @publicApi
 */
export function serverKey(baseURL: string | undefined): string | undefined {
  if (baseURL === undefined || !URL.canParse(baseURL)) return undefined;
  const { hostname, port, protocol } = new URL(baseURL);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** In lower case, without the port; empty for what is no URL. */
function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
}
