// Replays recorded traffic of Chat Completions servers through `openai()` and compares what comes
// out with a naive reading of the same bodies. Usage: npm run test:traffic -- DIR
//
// DIR/<provider>/*.json holds { interactions: [{ request: { method, uri }, response: { status,
// headers, body } }] }; JSON bodies are parsed, event streams are text.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, inspect } from 'node:util';
import { ChatModelException, ChatStreamAssembler } from 'nestjs-agent-tools';
import { openai } from '../dist/openai/index.js';

const SEEDS = [1, 2, 3];
const REQUEST = { messages: [{ role: 'user', content: 'Hello' }] };
const FINISH = {
  stop: 'stop',
  tool_calls: 'tool-calls',
  length: 'length',
  content_filter: 'content-filter',
};

// --- what a body holds, read as simply as can be -------------------------------------------------

function readCompletion({ choices, usage, x_groq: groq, error }) {
  if (error) return { error: error.message ?? error };
  const choice = choices.find(({ message }) => message.tool_calls?.length > 0) ?? choices[0];
  const { message, finish_reason: finish } = choice;
  return expected([message], finish ? [finish] : [], usage ?? groq?.usage, true);
}

function readStream(text) {
  const data = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim());
  const chunks = data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line));
  const failed = chunks.find((chunk) => chunk.error);
  if (failed) return { error: failed.error.message ?? failed.error };
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const usages = chunks.map((chunk) => chunk.usage ?? chunk.x_groq?.usage).filter(Boolean);
  const last = chunks.at(-1);
  return expected(
    choices.map(({ delta }) => delta),
    choices.map((choice) => choice.finish_reason).filter(Boolean),
    usages.at(-1),
    // A server that gives no reason at all must at least have come to its end.
    data.at(-1) === '[DONE]' && last?.choices?.length === 0 && Boolean(last.usage),
  );
}

function expected(messages, finishes, usage, complete) {
  let text = '';
  let reasoning = '';
  const calls = [];
  for (const message of messages.filter(Boolean)) {
    reasoning += message.reasoning_content || message.reasoning || message.reasoning_text || '';
    for (const part of [message.content ?? ''].flat()) {
      if (typeof part === 'string') text += part;
      else if (part.type === 'text') text += part.text;
      else if (part.type === 'thinking') reasoning += part.thinking.map((one) => one.text).join('');
    }
    text += message.refusal || '';
    for (const { id, index, function: called } of message.tool_calls ?? []) {
      let call = id
        ? calls.find((one) => one.id === id)
        : calls.findLast((one) => one.index === index);
      if (!call) calls.push((call = { id, index, name: '', arguments: '' }));
      call.name ||= called?.name ?? '';
      call.arguments += called?.arguments ?? '';
    }
  }
  const derived = calls.length > 0 ? 'tool_calls' : 'stop';
  const finish = finishes.at(-1) ?? (complete ? derived : undefined);
  if (!finish) return { error: '' };
  const refused = messages.some((message) => message?.refusal);
  return {
    text,
    reasoning,
    calls: calls.map(({ id, name, arguments: json }) => ({ id, name, arguments: json || '{}' })),
    finish: refused ? 'content-filter' : (FINISH[finish] ?? 'other'),
    usage: usage && readUsage(usage),
  };
}

function readUsage(usage) {
  const cached =
    usage.prompt_tokens_details?.cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.num_cached_tokens ??
    usage.cached_tokens;
  return [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens].concat(
    cached ?? 'none',
    usage.completion_tokens_details?.reasoning_tokens ?? 'none',
  );
}

// --- what the library makes of it ----------------------------------------------------------------

/** The body in pieces of 1 to 97 bytes, cut wherever it happens: within characters, too. */
function cut(text, seed) {
  const bytes = new TextEncoder().encode(text);
  let state = seed * 2_654_435_761;
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const end = offset + 1 + (state % 97);
      controller.enqueue(bytes.subarray(offset, end));
      offset = end;
    },
  });
}

/** A stream that breaks off before its finish must never look like an answer. */
function cutOff(text) {
  const finish = text.search(/"finish_reason":\s*"/);
  // At the end of an event, where nothing else gives the cut away.
  return text.slice(0, text.lastIndexOf('\n\n', finish < 0 ? text.length / 2 : finish) + 2);
}

function modelOf({ status, headers, body }, seed) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return openai({
    model: 'recorded',
    apiKey: 'sk-recorded',
    maxRetries: 0,
    fetch: async () => new Response(cut(text, seed), { status, headers }),
  });
}

async function collect(model) {
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(REQUEST, {})) assembler.push(delta);
  return assembler.finish();
}

function flatten({ content, finishReason, usage }) {
  const textOf = (type) =>
    content
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join('');
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: content
      .filter((part) => part.type === 'tool-call')
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
    return flatten(await run());
  } catch (error) {
    if (!(error instanceof ChatModelException)) throw error;
    return { error };
  }
}

// --- the comparison ------------------------------------------------------------------------------

/** Each way in which an interaction is replayed: a kind, what must come out, and what does. */
function* replays({ status, headers, body }) {
  const response = { status, headers, body };
  if (body?.base64) throw new Error('a binary body');
  if (status >= 400) {
    const want = { error: body?.error?.message ?? body?.error ?? body?.message ?? '', status };
    yield ['error', want, () => modelOf(response, 1).generate(REQUEST, {})];
    yield ['error', want, () => collect(modelOf(response, 2))];
  } else if (typeof body === 'string') {
    const want = readStream(body);
    for (const seed of SEEDS) {
      const kind = want.error === undefined ? 'stream' : 'error';
      yield [kind, want, () => collect(modelOf(response, seed))];
    }
    yield ['cut', { error: '' }, () => collect(modelOf({ ...response, body: cutOff(body) }, 1))];
  } else {
    const want = readCompletion(body);
    yield ['answer', want, () => modelOf(response, 1).generate(REQUEST, {})];
    // A server may ignore `stream: true`.
    yield ['answer', want, () => collect(modelOf(response, 2))];
  }
}

function difference(want, got) {
  if (want.error === undefined)
    return isDeepStrictEqual(got, want) ? undefined : inspect({ want, got });
  if (!got.error) return `no error, though the server sent "${want.error}"`;
  const { message, status } = got.error;
  if (!message.includes(want.error)) return `"${message}" does not say "${want.error}"`;
  return want.status && status !== want.status ? `status ${status}, not ${want.status}` : undefined;
}

async function check(response) {
  const results = [];
  try {
    for (const [kind, want, run] of replays(response)) {
      results.push([kind, difference(want, await outcome(run))]);
    }
  } catch (error) {
    results.push(['unexpected', error.stack]);
  }
  return results;
}

const isChat = ({ method, uri }) =>
  method === 'POST' && new URL(uri).pathname.endsWith('/chat/completions');

const directory = process.argv[2];
if (!directory || !existsSync(directory)) {
  console.error(
    `Usage: npm run test:traffic -- DIR${directory ? ` (${directory} does not exist)` : ''}`,
  );
  process.exit(1);
}
const providers = readdirSync(directory)
  .filter((name) => statSync(join(directory, name)).isDirectory())
  .toSorted();

const table = {};
const others = new Map();
let passed = 0;
let failed = 0;
for (const provider of providers) {
  const row = { interactions: 0, answer: 0, stream: 0, error: 0, cut: 0, failed: 0, skipped: 0 };
  const files = readdirSync(join(directory, provider)).filter((name) => name.endsWith('.json'));
  for (const file of files.toSorted()) {
    const { interactions } = JSON.parse(readFileSync(join(directory, provider, file), 'utf8'));
    for (const [number, { request, response }] of interactions.entries()) {
      if (!isChat(request)) {
        const kind = `${request.method} ${new URL(request.uri).host}`;
        others.set(kind, (others.get(kind) ?? 0) + 1);
        row.skipped++;
        continue;
      }
      row.interactions++;
      for (const [kind, problem] of await check(response)) {
        if (problem) {
          row.failed++;
          console.error(`FAILED ${provider}/${file} #${number} (${kind}): ${problem}`);
        } else row[kind]++;
      }
    }
  }
  passed += row.answer + row.stream + row.error + row.cut;
  failed += row.failed;
  table[provider] = row;
}

if (passed + failed === 0) {
  console.error(`No recorded chat completions in ${directory}`);
  process.exitCode = 1;
} else console.table(table);
const skipped = [...others.values()].reduce((sum, count) => sum + count, 0);
console.log(`${skipped} interactions of other protocols skipped${skipped > 0 ? ':' : ''}`);
for (const [kind, count] of others) console.log(`  ${count} × ${kind}`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
