// Replays recorded traffic of model providers through the models of this package. Usage:
// npm run test:traffic -- DIR
//
// DIR/<provider>/*.json holds { interactions: [{ request: { method, uri, body }, response: { status,
// headers, body } }] }; JSON bodies are parsed, event streams are text. Of each chat, the answer must
// decode to what a plain reading of it gives, however it is cut into pieces, must be an error if it is
// cut off; and the request, decoded and encoded again, must be the same but for the listed differences.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROTOCOLS } from './traffic/protocols.mjs';
import { replay } from './traffic/replays.mjs';

const KINDS = ['answer', 'stream', 'boundary', 'cut off', 'error', 'request'];

const directory = process.argv[2];
if (!directory || !existsSync(directory)) {
  console.error(
    `Usage: npm run test:traffic -- DIR${directory ? ` (${directory} does not exist)` : ''}`,
  );
  process.exit(1);
}

const table = {};
const skipped = new Map();
let failed = 0;

for (const provider of foldersOf(directory)) {
  const row = (table[provider] = newRow());
  for (const [file, interaction] of interactionsOf(join(directory, provider))) {
    const protocol = PROTOCOLS.find(({ isChat }) => isChat(interaction.request));
    if (protocol) {
      row.chats++;
      await check(protocol, provider, file, interaction);
    } else {
      row.skipped++;
      const { method, uri } = interaction.request;
      const endpoint = `${method} ${new URL(uri).host}${shorten(new URL(uri).pathname)}`;
      skipped.set(endpoint, (skipped.get(endpoint) ?? 0) + 1);
    }
  }
}
report();

async function check(protocol, provider, file, interaction) {
  const row = table[provider];
  const count = (kind, problem) => {
    if (problem === undefined) {
      row[kind]++;
      return;
    }
    row.failed++;
    console.error(`FAILED ${provider}/${file} (${protocol.name}, ${kind}): ${problem}`);
  };
  try {
    if (interaction.request.method === 'POST') {
      count('request', requestProblem(protocol, provider, interaction.request));
    }
    for await (const [kind, problem] of replay(protocol, provider, interaction)) {
      count(kind, problem);
    }
  } catch (error) {
    count('unexpected', error.stack);
  }
}

/** The recorded body, decoded into a request of the library and encoded again. */
function requestProblem(protocol, provider, request) {
  // As it would come from a store.
  const encoded = JSON.parse(JSON.stringify(protocol.encode(request, provider)));
  const found = protocol.sameAs(request.body, encoded);
  return found.length > 0 ? found.join('\n  ') : undefined;
}

function report() {
  const rows = Object.values(table);
  const sum = (kind) => rows.reduce((total, row) => total + row[kind], 0);
  const passed = KINDS.map(sum).reduce((total, count) => total + count, 0);
  failed = sum('failed');
  console.table(table);
  for (const { name, DIFFERENCES } of PROTOCOLS) {
    console.log(`Requests of ${name} may differ in:`);
    for (const { what, why } of DIFFERENCES) console.log(`  ${what}: ${why}`);
  }
  console.log(`${sum('skipped')} interactions that are no chat skipped:`);
  for (const [endpoint, count] of skipped) console.log(`  ${count} × ${endpoint}`);
  if (passed + failed === 0) {
    console.error(`No recorded chats in ${directory}`);
    process.exitCode = 1;
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function foldersOf(folder) {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .toSorted();
}

function* interactionsOf(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const file of files.toSorted()) {
    const { interactions } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [number, interaction] of interactions.entries()) {
      yield [`${file} #${number}`, interaction];
    }
  }
}

function newRow() {
  return { chats: 0, ...Object.fromEntries(KINDS.map((kind) => [kind, 0])), failed: 0, skipped: 0 };
}

/** Ids in a path say nothing. */
function shorten(path) {
  return path.replace(/\/[\w.:-]*\d{4,}[\w.:-]*/g, '/…').replace(/[\w-]{20,}/g, '…');
}
