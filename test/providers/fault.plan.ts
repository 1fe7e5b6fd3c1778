import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../loop/support/random.js';
import { sendAnswer, type ProviderRequest } from './provider-server.js';
import type { WireAnswer } from './wires/wire.js';

interface Exchange {
  readonly request: ProviderRequest;
  readonly response: ServerResponse;
  readonly answer: WireAnswer;
  readonly random: Random;
}

type Fault = (exchange: Exchange) => void | Promise<void>;

const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>';
const HUGE = 1_000_000;
/** More than a model takes in one piece. */
const TOO_HUGE = 33 * 1024 * 1024;

const textOf = ({ request, answer }: Exchange): string =>
  request.isStream
    ? request.wire.events(answer).join('')
    : JSON.stringify(request.wire.whole(answer));

function begin({ request, response }: Exchange, type?: string): void {
  const right = request.isStream ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type ?? right });
  response.flushHeaders();
}

function fail(status: number, headers: Record<string, string> = {}): Fault {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `Planned ${status}`, type: 'planned' } }));
  };
}

/** Part of an answer, up to some place before its end. */
function part(exchange: Exchange): string {
  const text = textOf(exchange);
  return text.slice(0, exchange.random.integer(1, text.length - 2));
}

/** The events up to one before the last two, so that nothing but the missing finish tells. */
function whollyCut({ request, answer, random }: Exchange): string {
  const events = request.wire.events(answer);
  return events.slice(0, random.integer(0, Math.max(0, events.length - 4))).join('');
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'a 429 with a short wait': fail(429, { 'retry-after-ms': '2' }),
  'a 429 without a hint': fail(429),
  'a 429 that asks for an hour': fail(429, { 'retry-after': '3600' }),
  'a 500': fail(500),
  'a 503': fail(503),
  'a 400': fail(400),
  'a 401': fail(401),
  'a page of a proxy with 502': ({ response }) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end(HTML);
  },
  'a page of a proxy with 200': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(HTML);
  },
  'a reset before the headers': ({ response }) => void response.destroy(),
  'a reset after the headers': async (exchange) => {
    begin(exchange);
    await pause(1);
    exchange.response.destroy();
  },
  'a reset amid the answer': async (exchange) => {
    begin(exchange);
    exchange.response.write(part(exchange));
    await pause(2);
    exchange.response.destroy();
  },
  'silence before the headers': () => {},
  'silence after the headers': (exchange) => begin(exchange),
  'silence amid the answer': (exchange) => {
    begin(exchange);
    exchange.response.write(part(exchange));
  },
  'an answer that is cut off': (exchange) => {
    begin(exchange);
    exchange.response.end(part(exchange));
  },
  'a stream without its end': (exchange) => {
    begin(exchange);
    const { request, response } = exchange;
    response.end(request.isStream ? whollyCut(exchange) : part(exchange));
  },
  'nothing at all': (exchange) => {
    begin(exchange);
    exchange.response.end();
  },
  'the wrong content type': (exchange) => {
    begin(exchange, exchange.random.pick(['text/plain', 'application/octet-stream']));
    exchange.response.end(textOf(exchange));
  },
  'something that is neither JSON nor events': (exchange) => {
    begin(exchange);
    exchange.response.end('Service temporarily unavailable');
  },
  'a huge piece before the answer': (exchange) => {
    begin(exchange);
    const blank = ' '.repeat(HUGE);
    exchange.response.end(
      exchange.request.isStream ? `:${blank}\n\n${textOf(exchange)}` : blank + textOf(exchange),
    );
  },
  'an error within the answer': (exchange) => {
    begin(exchange);
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Planned' } };
    const { request, response } = exchange;
    response.end(
      request.isStream ? `event: error\ndata: ${JSON.stringify(error)}\n\n` : JSON.stringify(error),
    );
  },
  'an answer byte by byte': async (exchange) => {
    begin(exchange);
    for (const piece of exchange.random.split(textOf(exchange), 400)) {
      if (exchange.response.destroyed) return;
      exchange.response.write(piece);
      await pause(0);
    }
    exchange.response.end();
  },
};

/** Costs a second, so it has few turns. */
export const TOO_HUGE_FAULT: Fault = (exchange) => {
  begin(exchange);
  exchange.response.end(`data: ${'x'.repeat(TOO_HUGE)}`);
};

/** Answers well, or with the fault. */
export async function answerOrFail(fault: Fault | undefined, exchange: Exchange): Promise<void> {
  if (fault) await fault(exchange);
  else sendAnswer(exchange.request, exchange.response, exchange.answer);
}
