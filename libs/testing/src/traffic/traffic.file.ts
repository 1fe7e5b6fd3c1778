import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { RecordedInteraction } from '../interfaces/traffic.interface.js';
import { TestSetupException } from '../fetch/test-setup.exception.js';
import { isInteraction } from './is-interaction.js';

let temporaryFiles = 0;

/**
 * Makes the folder of a recording. Whether it can be written is to be known before a request is paid for.
 *
 * @throws Error if not
 */
export function prepareTraffic(file: string): void {
  try {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw notWritable(file, error as Error);
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw notWritable(file, new Error('it is a folder'));
  }
}

/** Without a cause: the models would take its code for one of the network. */
export function notWritable(file: string, { message }: Error): Error {
  return new TestSetupException(`recordTraffic() cannot write ${file}: ${message}.`);
}

/**
 * Writes a recording, in one step: a reader never sees half a file. At once, and not later, so that it
 * is there when the answer has been read, even if the process ends then.
 *
 * @param interactions each as JSON text
 */
export function writeTraffic(file: string, interactions: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}-${++temporaryFiles}.tmp`;
  const items = interactions.map((text) => `    ${text.replaceAll('\n', '\n    ')}`).join(',\n');
  try {
    writeFileSync(temporary, `{\n  "interactions": [\n${items}\n  ]\n}\n`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @throws Error if the file is missing, or is no recording */
export function readTraffic(file: string): readonly RecordedInteraction[] {
  const { interactions } = parse(file, readText(file)) as { interactions?: unknown };
  if (!Array.isArray(interactions)) throw notRecorded(file, 'it has no list `interactions`');
  const broken = interactions.findIndex((interaction) => !isInteraction(interaction));
  if (broken >= 0) throw notRecorded(file, `interaction ${broken} has not the form of one`);
  return interactions as RecordedInteraction[];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(
      `There is no recording at ${file}. Run the test once with \`fetch: recordTraffic(…)\` of the same file.`,
      { cause },
    );
  }
}

function parse(file: string, text: string): object {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notRecorded(file, 'it is no JSON');
  }
  if (typeof json === 'object' && json !== null) return json;
  throw notRecorded(file, 'it is no object');
}

function notRecorded(file: string, reason: string): Error {
  return new Error(`${file} is no recording: ${reason}. Record it again with recordTraffic().`);
}
