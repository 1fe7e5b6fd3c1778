import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHAT_COMPLETIONS_WIRE } from './wires/chat-completions.wire.js';
import { GEMINI_WIRE } from './wires/gemini.wire.js';
import { MESSAGES_WIRE } from './wires/messages.wire.js';
import { RESPONSES_WIRE } from './wires/responses.wire.js';
import type { Wire, WireAnswer } from './wires/wire.js';

const WIRES = [CHAT_COMPLETIONS_WIRE, RESPONSES_WIRE, MESSAGES_WIRE, GEMINI_WIRE];

/** A request that has come. */
export interface ProviderRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly isStream: boolean;
  readonly wire: Wire;
}

/** Answers a request, or fails at it. */
export type ProviderHandler = (
  request: ProviderRequest,
  response: ServerResponse,
) => void | Promise<void>;

/** A server on the loopback interface that speaks the protocols of all providers. */
export class ProviderServer {
  readonly requests: ProviderRequest[] = [];
  private readonly server = createServer((request, response) => {
    void this.serve(request, response);
  });

  constructor(private handler: ProviderHandler) {}

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many sockets are open. */
  get connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  use(handler: ProviderHandler): void {
    this.handler = handler;
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    try {
      for await (const piece of request) text += String(piece);
    } catch {
      // The client went away.
      return;
    }
    const url = request.url ?? '';
    const path = url.replace(/\?.*/, '');
    const wire = WIRES.find((known) => known.path.test(path));
    if (!wire) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `No endpoint ${path}` } }));
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    const isStream = wire.isStream(url, body);
    const received = { url, headers: request.headers, body, isStream, wire };
    this.requests.push(received);
    await this.handler(received, response);
  }
}

/** Sends an answer as the protocol of the request wants it. */
export function sendAnswer(
  { wire, isStream }: ProviderRequest,
  response: ServerResponse,
  answer: WireAnswer,
): void {
  const type = isStream ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  response.end(isStream ? wire.events(answer).join('') : JSON.stringify(wire.whole(answer)));
}
