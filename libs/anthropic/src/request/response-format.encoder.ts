import { ChatModelException, type ObjectJsonSchema, type ResponseFormat } from 'nestjs-agent-tools';
import { describedSchema } from 'nestjs-agent-tools/model-kit';
import { findClaudeModel } from '../profile/claude-model.js';
import { STRICT_SCHEMAS } from '../profile/tool-schemas.js';

const JSON_ONLY = 'Answer with a JSON object, and nothing else';

/** A response format as it is asked for: by a schema that the server keeps to, or in words. */
export interface EncodedFormat {
  readonly schema?: ObjectJsonSchema;
  readonly instruction?: string;
}

/** Anthropic keeps to no schema that is not strict, so the model is told the others. */
export function encodeResponseFormat(
  model: string,
  format: ResponseFormat | undefined,
): EncodedFormat {
  if (format?.type !== 'json') return {};
  const { description, strict = true } = format;
  const schema = describedSchema(format);
  if (!schema) return { instruction: `${JSON_ONLY}.${description ? ` ${description}` : ''}` };
  if (strict && findClaudeModel(model).structured) {
    const converted = STRICT_SCHEMAS.strict(schema);
    if (converted.strict) return { schema: converted.schema };
    if (format.strict) throw notStrict(model, converted.refusals.join('; '));
  }
  if (format.strict) throw notStrict(model, 'this model keeps to no schema');
  const told = `${JSON_ONLY}, that is valid for this JSON Schema:`;
  return { instruction: `${told}\n${JSON.stringify(schema)}` };
}

function notStrict(model: string, reason: string): ChatModelException {
  return new ChatModelException(
    `anthropic:${model} cannot keep \`strict: true\` of \`responseFormat\`: ${reason}. Leave \`strict\` out, and ` +
      'the model is told the schema in words.',
  );
}
