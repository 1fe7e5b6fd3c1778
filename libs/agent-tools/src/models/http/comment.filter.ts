const COLON = 58;
const LINE_BREAKS: ReadonlySet<number> = new Set(Buffer.from('\r\n'));

/** Tells whether an event stream has begun: comments, with which servers keep a connection alive, are no begin. */
export class CommentFilter {
  private isInComment = false;

  /** Whether there is anything but comments and empty lines in the next bytes of the stream. */
  hasMore(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (LINE_BREAKS.has(byte)) this.isInComment = false;
      else if (byte === COLON && !this.isInComment) this.isInComment = true;
      else if (!this.isInComment) return true;
    }
    return false;
  }
}
