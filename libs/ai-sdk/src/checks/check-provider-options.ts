import { ChatModelException } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';

/**
 * Options that are not under the name of a provider are read by nobody.
 *
 * @throws ChatModelException that shows the form
 */
export function checkProviderOptions(label: string, provider: string, given: unknown): void {
  if (given === undefined) return;
  const options = isRecord(given) ? Object.entries(given) : [];
  const flat = options.filter(([, value]) => value !== undefined && !isRecord(value));
  if (isRecord(given) && flat.length === 0) return;
  const [name] = provider.split('.');
  // The names only: a value may be a key.
  const shown = flat.map(([option]) => `${option}: …`).join(', ') || '…';
  throw new ChatModelException(
    `${label} cannot be set like this: \`providerOptions\` are under the name of their provider: ` +
      `{ ${name}: { ${shown} } }.`,
  );
}
