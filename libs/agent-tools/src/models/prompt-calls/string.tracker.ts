/** Knows whether a place in JSON text is inside of a string. */
export class StringTracker {
  isInside = false;

  private isEscaped = false;

  push(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '"') this.isInside = !this.isInside;
    else if (character === '\\') this.isEscaped = this.isInside;
  }
}
