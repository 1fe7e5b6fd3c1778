import { describe, expect, it } from '@jest/globals';
import {
  isSecretName,
  redactCredentials,
} from '../../libs/agent-tools/src/utils/redact-credentials.js';

describe('what is logged', () => {
  it.each([
    ['JSON in a text', '{\\"password\\":\\"hunter2\\"}', 'hunter2'],
    [
      'a private key',
      'key: -----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY----- end',
      'MIIEow',
    ],
    ['a private key that was cut off', '-----BEGIN PRIVATE KEY-----\nMIIEow', 'MIIEow'],
  ])('does not show the secret in %s', (_case, text, secret) => {
    expect(text).toContain(secret);
    expect(redactCredentials(text)).not.toContain(secret);
  });

  it('counts cookies among the secrets', () => {
    expect(isSecretName('set-cookie')).toBe(true);
    expect(isSecretName('cooking')).toBe(false);
  });
});
