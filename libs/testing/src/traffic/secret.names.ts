const HEADER = /auth|key|token|secret|cookie|credential|signature/i;
const FIELD =
  /^(?:(?:x|openai|anthropic|google)[-_])?(?:api[-_]?key|key|(?:access|refresh|id|auth|bearer|session)[-_]?token|token|authorization|auth|(?:client[-_]?)?secret|password|passwd|credentials?|sig|signature|private[-_]?key|secret[-_]?(?:access[-_]?)?key|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))$/i;

/** Whether the value of a header is likely a credential. */
export function isSecretHeader(name: string): boolean {
  return HEADER.test(name);
}

/** Whether the value of a query parameter or of a field of a body is likely a credential. */
export function isSecretField(name: string): boolean {
  return FIELD.test(name);
}
