/**
 * What tells a server that nobody knows from all others: its host with the port, which no name of a
 * provider has.
 */
export function serverKey(baseURL: string): string {
  if (!URL.canParse(baseURL)) return 'unknown';
  const { hostname, port, protocol } = new URL(baseURL);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
