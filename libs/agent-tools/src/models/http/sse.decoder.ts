import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ChatModelException } from '../exceptions/chat-model.exception.js';
import { isErrorBody } from './provider-error.reader.js';
import type { ProviderExceptionFactory } from './provider-exception.factory.js';

const MAX_EVENT = 32 * 1024 * 1024;
/** Longer data is not looked at for being blank. */
const BLANK = 16;

/** Bytes of an event stream → the data of its events. An event that is an error becomes one. */
export class SseDecoder {
  private readonly text = new TextDecoder();
  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: (event) => this.onEvent(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw this.exceptions.fromOverlong(MAX_EVENT);
    },
  });
  private events: (string | ChatModelException)[] = [];

  constructor(private readonly exceptions: ProviderExceptionFactory) {}

  decode(bytes: Uint8Array): (string | ChatModelException)[] {
    return this.feed(this.text.decode(bytes, { stream: true }));
  }

  /** What is left when the stream has ended: some servers omit the empty line after the last event. */
  end(): (string | ChatModelException)[] {
    return this.feed(`${this.text.decode()}\n\n`);
  }

  private feed(text: string): (string | ChatModelException)[] {
    this.events = [];
    this.parser.feed(text);
    return this.events;
  }

  private onEvent({ event, data }: EventSourceMessage): void {
    // A field `error` is looked for as text: to parse every event here would cost it twice. Quotes
    // within a JSON string are escaped, so what a model writes is not mistaken for one.
    const suspect = event === 'error' || data.includes('"error"');
    const exception = suspect ? this.toException(data, event === 'error') : undefined;
    if (exception) this.events.push(exception);
    // A blank event only keeps the connection alive.
    else if (data.length > BLANK || data.trim()) this.events.push(data);
  }

  private toException(data: string, certain: boolean): ChatModelException | undefined {
    let body: unknown = data;
    try {
      body = JSON.parse(data);
    } catch {
      // Then the text itself is the message, if this is an error at all.
    }
    return certain || isErrorBody(body) ? this.exceptions.fromBody(body) : undefined;
  }
}
