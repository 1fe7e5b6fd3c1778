/**
 * The address to send to. A base URL may end before the version, as Anthropic's own library takes it,
 * behind it, as others do, or be the whole address. A query stays behind the path.
 */
export function toEndpoint(baseURL: string): string {
  const url = new URL(baseURL);
  const base = url.pathname.replace(/\/+$/, '');
  if (base.endsWith('/v1/messages')) url.pathname = base;
  else url.pathname = base.endsWith('/v1') ? `${base}/messages` : `${base}/v1/messages`;
  return url.href;
}
