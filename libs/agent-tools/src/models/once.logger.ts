import { Logger } from '@nestjs/common';

/** A provider may word each warning anew. */
const MAX_KNOWN = 100;

/**
 * Tells the log what a model does otherwise than it was asked, each text once.
 *
 * @publicApi
 */
export class OnceLogger {
  private readonly logger = new Logger('AgentTools');
  private readonly known = new Set<string>();

  warn(text: string): void {
    if (this.known.has(text) || this.known.size >= MAX_KNOWN) return;
    this.known.add(text);
    this.logger.warn(text);
  }
}
