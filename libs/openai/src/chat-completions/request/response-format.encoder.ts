import {
  ChatModelException,
  toOpenAISchema,
  toOpenAIStrictSchema,
  type ResponseFormat,
} from 'nestjs-agent-tools';
import type { WholeProfile } from '../../profiles/profile.finder.js';
import type { WireRequestMessage } from './interfaces/message-encoding.interface.js';

const NAME = 'response';
const ANSWER = 'Answer with a JSON object, and nothing else';
/** The first few tell what kind of thing it is. */
const LISTED = 5;

/** @throws ChatModelException if the schema must be strict and cannot be */
export function encodeResponseFormat(
  format: ResponseFormat | undefined,
  { jsonSchema = true, name: provider }: WholeProfile,
): object | undefined {
  if (format === undefined || format.type === 'text') return format;
  if (!format.schema || !jsonSchema) return { type: 'json_object' };
  const { name = NAME, description, strict = true } = format;
  const converted = (strict ? toOpenAIStrictSchema : toOpenAISchema)(format.schema);
  if (format.strict && !converted.strict) throw notStrict(provider, converted.refusals);
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description !== undefined && { description }),
      schema: converted.schema,
      strict: strict && converted.strict,
    },
  };
}

/** What a server cannot be asked for, the model can be told. */
export function formatMessages(
  format: ResponseFormat | undefined,
  { jsonSchema = true }: WholeProfile,
): WireRequestMessage[] {
  if (format?.type !== 'json') return [];
  const { schema, description } = format;
  if (schema ? jsonSchema : !description) return [];
  const lines = [
    schema ? `${ANSWER}, that is valid for this JSON Schema:` : `${ANSWER}.`,
    ...(schema ? [JSON.stringify(schema)] : []),
    ...(description ? [`What the object is: ${description}`] : []),
  ];
  return [{ role: 'system', content: lines.join('\n') }];
}

function notStrict(provider: string, refusals: readonly string[]): ChatModelException {
  const more = refusals.length > LISTED ? `; and ${refusals.length - LISTED} more` : '';
  return new ChatModelException(
    `\`responseFormat: { strict: true }\` cannot be kept for servers of the profile "${provider}": ` +
      `${refusals.slice(0, LISTED).join('; ')}${more}. Describe the answer by objects with named, typed ` +
      'properties, or leave `strict` out: the model is then asked for the schema, but not held to it.',
  );
}
