/** The address to send to: the base URL with a path at its end. A query stays behind the path. */
export function toEndpoint(baseURL: string, path: string): string {
  const url = new URL(baseURL);
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  return url.href;
}
