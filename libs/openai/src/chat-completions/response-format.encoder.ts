import { toOpenAiSchema, toOpenAiStrictSchema, type ResponseFormat } from 'nestjs-agent-tools';
import type { WholeProfile } from '../profiles/profile.finder.js';
import type { WireRequestMessage } from './interfaces/message-encoding.interface.js';

const NAME = 'response';

export function encodeResponseFormat(
  format: ResponseFormat | undefined,
  { jsonSchema = true }: WholeProfile,
): object | undefined {
  if (format === undefined || format.type === 'text') return format;
  if (!format.schema || !jsonSchema) return { type: 'json_object' };
  const { name = NAME, description, strict = true } = format;
  const converted = (strict ? toOpenAiStrictSchema : toOpenAiSchema)(format.schema);
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
export function schemaMessages(
  format: ResponseFormat | undefined,
  { jsonSchema = true }: WholeProfile,
): WireRequestMessage[] {
  if (jsonSchema || format?.type !== 'json' || !format.schema) return [];
  const content =
    'Answer with a JSON object, and nothing else, that is valid for this JSON Schema:\n' +
    JSON.stringify(format.schema);
  return [{ role: 'system', content }];
}
