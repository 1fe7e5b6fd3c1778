import { secretPatterns } from 'nestjs-agent-tools/model-kit';
import { isSecretField } from './secret.names.js';

export const REDACTED = '[redacted]';

/** What keys of providers look like. A recording is replayed, so shorter ones are left: they may be words. */
const KEY_LIKE = [
  /\b(?:sk|rk|pk|gsk|csk|xai|hf|nvapi|pplx|r8)[-_][\w-]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /\bgh[pousr]_\w{20,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  /(?<=\b(?:Bearer|Basic)\s)[\w+/=.~-]{16,}/gi,
  /(?<=\/\/)[^\s/@:"]+:[^\s/@"]+(?=@)/g,
  /(?<=\b(?:api[-_]?key|access[-_]token|key)=)[^\s&"'\\]+/gi,
];
/** A field of JSON that stands in a text, as in the events of a stream. */
const JSON_FIELD = /"((?:[^"\\]|\\.)*)"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g;

/** Removes known values, what looks like a key, and the values of fields that are named like one. */
export class SecretRedactor {
  private readonly values: readonly RegExp[];

  constructor(values: Iterable<string>) {
    this.values = secretPatterns(values);
  }

  redactText(text: string): string {
    const fields = text.replace(JSON_FIELD, (whole, name: string, colon: string) =>
      isSecretField(name) ? `"${name}"${colon}"${REDACTED}"` : whole,
    );
    return KEY_LIKE.reduce(
      (rest, pattern) => rest.replace(pattern, REDACTED),
      this.redactValues(fields),
    );
  }

  redactJson(value: unknown): unknown {
    if (typeof value === 'string') return this.redactText(value);
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]: [string, unknown]) => {
      const isSecret = typeof item === 'string' && item !== '' && isSecretField(name);
      return [this.redactText(name), isSecret ? REDACTED : this.redactJson(item)];
    });
    return Object.fromEntries(entries);
  }

  /** Bytes by chance look like keys, so only what is known is removed. */
  redactBytes(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const redacted = this.redactValues(text);
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
  }

  private redactValues(text: string): string {
    return this.values.reduce((rest, value) => rest.replace(value, REDACTED), text);
  }
}
