/** Whether a regular expression looks ahead or behind, which generators of text cannot do. */
export function hasLookaround(pattern: string): boolean {
  const bare = pattern.replace(/\\[\s\S]/g, '').replace(/\[[^\]]*\]/g, '');
  return /\(\?<?[=!]/.test(bare);
}

/** Whether it refers to a group, or to the border of a word. */
export function hasReferenceOrBorder(pattern: string): boolean {
  return /\\(?:[1-9]|k<|[bB])/.test(pattern.replaceAll('\\\\', ''));
}
