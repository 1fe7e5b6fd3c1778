// The ways in which a recorded answer is replayed through a model, and what must come out.
import { inspect, isDeepStrictEqual } from 'node:util';
import { ChatModelException, ChatStreamAssembler } from 'nestjs-agent-tools';

const REQUEST = { messages: [{ role: 'user', content: 'Hello' }] };
const SEEDS = [1, 2, 3];
/** Each place in so many first bytes is one to cut at. */
const PREFIX = 64;
const CUTS = 12;

/** Pairs of a kind and what is wrong, `undefined` if nothing is. */
export async function* replay(protocol, provider, { request, response }) {
  const { status, headers, body } = response;
  const play = (pieces, replaced = headers) =>
    protocol.create({ provider, request }, async () => {
      return new Response(toStream(pieces), { status, headers: replaced });
    });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);

  if (status >= 400) {
    const want = { error: messageOf(body), status };
    yield ['error', difference(want, await outcome(() => generate(play([bytes]))))];
    yield ['error', difference(want, await outcome(() => collect(play(cut(bytes, 1)))))];
    return;
  }
  const want = protocol.readAnswer(body);
  const kind = want.error === undefined ? 'answer' : 'error';
  if (typeof body !== 'string') {
    yield [kind, difference(want, await outcome(() => generate(play(cut(bytes, 1)))))];
    // A server may ignore that a stream was asked for.
    yield [kind, difference(want, await outcome(() => collect(play(cut(bytes, 2)))))];
    return;
  }
  const isStream = kind === 'answer' ? 'stream' : 'error';
  for (const seed of SEEDS) {
    yield [isStream, difference(want, await outcome(() => collect(play(cut(bytes, seed)))))];
  }
  for (let at = 1; at <= Math.min(PREFIX, bytes.length - 1); at++) {
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    yield ['boundary', difference(want, await outcome(() => collect(play(pieces))))];
  }
  for (const end of endings(protocol, text)) {
    yield ['cut off', await cutOff(protocol, text, end, play)];
  }
}

/** The body in pieces of 1 to 97 bytes, cut wherever it happens: within characters, too. */
function cut(bytes, seed) {
  let state = seed * 2_654_435_761;
  const pieces = [];
  for (let at = 0; at < bytes.length;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const end = at + 1 + (state % 97);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

function toStream(pieces) {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (next < pieces.length) controller.enqueue(pieces[next++]);
      else controller.close();
    },
  });
}

/** Lengths at which the text is cut: the ends of events before the finish, and places amid them. */
function endings(protocol, text) {
  const ends = [...text.matchAll(/\r?\n\r?\n/g)].map(({ index, 0: blank }) => index + blank.length);
  const finish = ends.find((end, at) =>
    eventsOf(text.slice(ends[at - 1] ?? 0, end)).some((event) => protocol.finish(event)),
  );
  // Snowflake gives no reason: there, the last event ends the answer.
  const before = ends.filter((end) => end < (finish ?? ends.at(-1)));
  const step = Math.max(1, Math.floor(before.length / CUTS));
  const chosen = before.filter((_, at) => at % step === 0 || at === before.length - 1);
  const amid = chosen.map((end) => Math.max(1, end - 7));
  return [...chosen, ...amid];
}

function eventsOf(text) {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line.slice(5))];
      } catch {
        // The event amid which the text was cut.
        return [];
      }
    });
}

/** A stream that breaks off before its finish must never look like an answer; its text is kept. */
async function cutOff(protocol, text, end, play) {
  const rest = text.slice(0, end);
  const seen = await outcome(() => collect(play([Buffer.from(rest)])));
  if (!seen.error) return `no error, though it was cut after ${end} characters: ${inspect(seen)}`;
  const want = eventsOf(rest).map(protocol.textIn).join('');
  return seen.partial === want
    ? undefined
    : `the partial text is ${inspect(seen.partial)}, not ${inspect(want)}`;
}

async function generate(model) {
  return flatten(await model.generate(REQUEST, {}));
}

async function collect(model) {
  const assembler = new ChatStreamAssembler();
  try {
    for await (const delta of model.stream(REQUEST, {})) assembler.push(delta);
    return flatten(assembler.finish());
  } catch (error) {
    if (!(error instanceof ChatModelException)) throw error;
    return { error, partial: textOf(assembler.partial(), 'text') };
  }
}

function textOf(content, type) {
  return content
    .filter((part) => part.type === type)
    .map(({ text }) => text)
    .join('');
}

function flatten({ content, finishReason, usage }) {
  return {
    text: textOf(content, 'text'),
    reasoning: textOf(content, 'reasoning'),
    calls: content
      .filter(({ type }) => type === 'tool-call')
      .map(({ id, name, arguments: json }) => ({ id, name, arguments: json })),
    finish: finishReason,
    usage: usage && [
      usage.inputTokens,
      usage.outputTokens,
      usage.totalTokens,
      usage.cacheReadTokens ?? 'none',
      usage.reasoningTokens ?? 'none',
    ],
  };
}

async function outcome(run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ChatModelException)) throw error;
    return { error };
  }
}

function messageOf(body) {
  let json = body;
  if (typeof body === 'string') {
    try {
      json = JSON.parse(body);
    } catch {
      return '';
    }
  }
  const [first] = [json].flat();
  return first?.error?.message ?? first?.error ?? first?.message ?? '';
}

function difference(want, got) {
  if (want.error === undefined) {
    const plain = toPlain(got, want);
    return isDeepStrictEqual(plain, toPlain(want, want))
      ? undefined
      : inspect({ want, got }, { depth: 6 });
  }
  if (!got.error) return `no error, though the server sent "${want.error}"`;
  const { message, status } = got.error;
  if (!message.includes(want.error)) return `"${message}" does not say "${want.error}"`;
  return want.status && status !== want.status ? `status ${status}, not ${want.status}` : undefined;
}

/** Ids that the server does not give are made up; arguments are the same in any JSON form. */
function toPlain({ calls = [], ...rest }, want) {
  return {
    ...rest,
    calls: calls.map(({ id, name, arguments: json }, index) => ({
      ...(want.calls[index]?.id && { id }),
      name,
      arguments: toJson(json),
    })),
  };
}

function toJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
