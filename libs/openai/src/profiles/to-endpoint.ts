/**
 * The address to send to: the base URL with a path at its end. A query stays behind the path.
 *
 * @param basePath that of a base URL which has none
 */
export function toEndpoint(baseURL: string, path: string, basePath = ''): string {
  const url = new URL(baseURL);
  const base = (url.pathname === '/' ? basePath : url.pathname).replace(/\/+$/, '');
  url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  return url.href;
}
