import type { Type } from '@nestjs/common';
import { ApplicationConfig, NestContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

type Json = Record<string, unknown>;

const PREFIX = '#/components/schemas/';
const NO_APPLICATION = {
  container: new NestContainer(),
  config: new ApplicationConfig(),
  getHttpAdapter: () => ({ getType: () => 'express' }),
};

/** The schema of a class as swagger's own document has it, brought from OpenAPI 3.0 to 2020-12. */
export function swaggerSchemaOf(target: Type): Json {
  const document = SwaggerModule.createDocument(
    NO_APPLICATION as never,
    new DocumentBuilder().build(),
    { extraModels: [target] },
  );
  const schemas = (document.components?.schemas ?? {}) as unknown as Record<string, Json>;
  const { [target.name]: root, ...others } = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, converted(schema, target.name) as Json]),
  );
  return closed(Object.keys(others).length > 0 ? { ...root, $defs: others } : root);
}

function converted(node: unknown, root: string): unknown {
  if (Array.isArray(node)) return node.map((item) => converted(item, root));
  if (node === null || typeof node !== 'object') return node;
  const { nullable, example, allOf, $ref, ...rest } = node as Json;
  const result = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, converted(value, root)]),
  );
  if (example !== undefined) result.examples = [example];
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ]) {
    if (result[exclusive] !== true) continue;
    result[exclusive] = result[limit];
    delete result[limit];
  }
  if (typeof $ref === 'string') {
    const name = $ref.slice(PREFIX.length);
    result.$ref = name === root ? '#' : `#/$defs/${name}`;
  }
  if (Array.isArray(allOf) && allOf.length === 1) {
    Object.assign(result, converted(allOf[0], root));
    // swagger writes it beside a reference that may be null.
    if (nullable === true && result.type === 'object') delete result.type;
  } else if (allOf !== undefined) result.allOf = converted(allOf, root);
  return nullable === true ? orNull(result) : result;
}

function orNull(schema: Json): Json {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum as unknown[] | undefined;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  };
}

/** A tool takes no property that its class does not have, which swagger does not say. */
function closed(schema: Json): Json {
  const { $defs, ...root } = schema;
  const all = { ...root, additionalProperties: false };
  if (!$defs) return all;
  return {
    ...all,
    $defs: Object.fromEntries(
      Object.entries($defs as Record<string, Json>).map(([name, one]) => [
        name,
        one.type === 'object' ? { ...one, additionalProperties: false } : one,
      ]),
    ),
  };
}
