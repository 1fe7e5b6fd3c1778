/** Finds the end of a marker in a text that comes character by character. */
export class MarkerMatcher {
  private held = '';
  private patterns: readonly string[] = [];

  /** @param patterns that may begin with this character; how one begins, no other one goes on */
  push(character: string, patterns: readonly string[]): string | undefined {
    if (this.held !== '') {
      const found = this.match(this.held + character);
      if (this.held !== '' || found) return found;
    }
    this.patterns = patterns;
    return this.match(character);
  }

  private match(text: string): string | undefined {
    let isOpen = false;
    for (const pattern of this.patterns) {
      if (!pattern.startsWith(text)) continue;
      if (pattern.length === text.length) {
        this.held = '';
        return pattern;
      }
      isOpen = true;
    }
    this.held = isOpen ? text : '';
    return undefined;
  }
}
