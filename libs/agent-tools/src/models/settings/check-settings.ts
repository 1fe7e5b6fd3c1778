import { inspect } from 'node:util';
import { checkOptionNames } from '../../utils/check-option-names.js';
import { cutText } from '../../utils/cut-text.js';
import { isPlain } from '../../utils/is-plain.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';
import { SETTING_NAMES, SETTING_REMEDY } from './setting-names.js';

/**
 * The settings that a provider lacks, each with why, or what to do in place of it.
 *
 * @publicApi
 */
export type LackingSettings = Readonly<Partial<Record<keyof ChatSettings, string>>>;

/**
 * Refuses settings that a provider lacks, or whose value no provider takes. Silence would leave the
 * application with a model that does not do what its code says.
 *
 * @param label Which model, for the exception.
 * @throws ChatModelException that names all of them
 * @publicApi
 */
export function checkSettings(
  label: string,
  settings: ChatSettings,
  lacking: LackingSettings = {},
): void {
  const problems = [...lacks(settings, lacking), ...invalid(settings)];
  if (problems.length > 0) {
    throw new ChatModelException(`${label} cannot be set like this: ${problems.join(' ')}`);
  }
}

const MAX_SHOWN = 100;
const FORMAT_NAMES: readonly string[] = ['name', 'description', 'strict'];
const FORMATS =
  "{ type: 'text' }, { type: 'json' }, or { type: 'json', schema, name, description, strict } with a JSON " +
  'Schema of an object (of zod: z.toJSONSchema(schema))';

/**
 * Checks `modelSettings` of which the model is not known yet, at boot.
 *
 * @param owner Whose they are, for the error.
 * @throws as `checkSettings()`, and TypeError for a setting that there is not
 */
export function checkModelSettings(owner: string, settings: ChatSettings | undefined): void {
  if (settings === undefined) return;
  const label = `The \`modelSettings\` of ${owner}`;
  checkOptionNames(label, settings, SETTING_NAMES, SETTING_REMEDY);
  const problems = invalid(settings);
  if (problems.length > 0) throw new TypeError(`${label} are of no use: ${problems.join(' ')}`);
}

function lacks(settings: ChatSettings, lacking: LackingSettings): string[] {
  return (Object.entries(lacking) as [keyof ChatSettings, string][])
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, reason]) => `\`${name}\`: ${reason}`);
}

const RANGES = [
  ['temperature', 0, 'a number from 0', Number.isFinite],
  ['topP', 0, 'a number from 0 to 1', (value: number) => value <= 1],
  ['maxTokens', 1, 'a whole number from 1', Number.isSafeInteger],
  ['seed', -Number.MAX_SAFE_INTEGER, 'a whole number', Number.isSafeInteger],
  ['reasoningBudget', 0, 'a whole number from 0', Number.isSafeInteger],
] as const;

/** What a configuration that nobody has typed may give in place of it would be sent, or lost. */
const TYPES: readonly (readonly [keyof ChatSettings, string, (value: unknown) => boolean])[] = [
  ['stop', 'a list of texts', isTexts],
  ['parallelToolCalls', 'true or false', (value) => typeof value === 'boolean'],
  ['reasoningEffort', "a word such as 'low'", isText],
  ['responseFormat', FORMATS, isFormat],
  ['headers', 'an object of texts', isHeaders],
  ['body', 'an object', isPlain],
  ['baseURL', 'a text', (value) => typeof value === 'string'],
  ['apiKey', 'a text', (value) => typeof value === 'string'],
];

function invalid(settings: ChatSettings): string[] {
  const problems: string[] = [];
  for (const [name, least, expected, isValid] of RANGES) {
    const value: unknown = settings[name];
    if (value === undefined) continue;
    if (typeof value === 'number' && value >= least && isValid(value)) continue;
    problems.push(`\`${name}\` must be ${expected}, not ${show(value)}.`);
  }
  for (const [name, expected, isValid] of TYPES) {
    const value: unknown = settings[name];
    if (value === undefined || isValid(value)) continue;
    // It may be a secret in a wrong form.
    const found = name === 'apiKey' || name === 'headers' ? '' : `, not ${show(value)}`;
    problems.push(`\`${name}\` must be ${expected}${found}.`);
  }
  return problems;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** `Headers` and lists of pairs are spread into nothing. */
function isHeaders(value: unknown): boolean {
  return isPlain(value) && Object.values(value).every((text) => typeof text === 'string');
}

/** A schema of a library is no JSON Schema, though one of zod has a `type`, too. */
function isFormat(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const { type, schema, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).some((name) => !FORMAT_NAMES.includes(name))) return false;
  if (schema === undefined) return type === 'text' || type === 'json';
  return type === 'json' && isPlain(schema) && 'type' in schema && schema.type === 'object';
}

function show(value: unknown): string {
  return cutText(inspect(value, { depth: 1, breakLength: Infinity }), MAX_SHOWN);
}
