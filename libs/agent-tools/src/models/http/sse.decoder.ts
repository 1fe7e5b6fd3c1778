import { isAscii } from 'node:buffer';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { HttpExceptionFactory } from './http-exception.factory.js';

const MAX_EVENT = 32 * 1024 * 1024;
/** Longer data is not looked at for being blank. */
const BLANK = 16;

/** Makes something of one event; what is thrown comes after the events before it. */
export type EventReader<Event> = (data: string, name: string | undefined) => Event;

/** An event that could not be read. */
export class UnreadableEvent {
  constructor(readonly error: unknown) {}
}

/** Bytes of an event stream → what a reader makes of its events, up to one that it cannot read. */
export class SseDecoder<Event> {
  // A mark of the byte order is one at the begin of the stream only; in it, it is a character.
  private readonly text = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: (event) => this.onEvent(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw this.exceptions.fromOverlong(MAX_EVENT);
    },
  });
  private events: (Event | UnreadableEvent)[] = [];
  private hasBegun = false;

  constructor(
    private readonly exceptions: HttpExceptionFactory,
    private readonly read: EventReader<Event>,
  ) {}

  decode(bytes: Uint8Array): readonly (Event | UnreadableEvent)[] {
    return this.feed(this.toText(bytes));
  }

  /** What is left when the stream has ended: some servers omit the empty line after the last event. */
  end(): readonly (Event | UnreadableEvent)[] {
    return this.feed(`${this.text.decode()}\n\n`);
  }

  private feed(text: string): readonly (Event | UnreadableEvent)[] {
    this.events = [];
    this.parser.feed(this.hasBegun ? text : this.withoutMark(text));
    return this.events;
  }

  private withoutMark(text: string): string {
    this.hasBegun = text !== '';
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  /**
   * Most of a stream is ASCII, of which a text is made several times as fast. (What follows a part of a
   * character is not.)
   */
  private toText(bytes: Uint8Array): string {
    return isAscii(bytes)
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      : this.text.decode(bytes, { stream: true });
  }

  private onEvent({ event: name, data }: EventSourceMessage): void {
    // A blank event only keeps the connection alive.
    if (data.length <= BLANK && !data.trim() && name !== 'error') return;
    try {
      this.events.push(this.read(data, name));
    } catch (error) {
      this.events.push(new UnreadableEvent(error));
    }
  }
}
