/** What a provider answers, whatever its protocol. */
export interface WireAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: object;
  }[];
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** How a provider writes answers. */
export interface Wire {
  /** What ends the path of its requests. */
  readonly path: RegExp;
  /** Whether the answer to a request must be a stream. */
  isStream(url: string, body: Readonly<Record<string, unknown>>): boolean;
  whole(answer: WireAnswer): object;
  /** Texts of server-sent events, the end included. */
  events(answer: WireAnswer): string[];
}

export const toEvent = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

/** A text in the pieces in which models send it. */
export const inPieces = (text = ''): string[] => text.match(/.{1,7}/gsu) ?? [];
