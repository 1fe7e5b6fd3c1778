import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { describeBuiltIn } from '../built-in-type.source.js';
import { readApiSchema, readExtraModels } from './api-property.reader.js';
import type { DtoProblems } from './dto.problems.js';
import { enumValues } from './enum-values.js';
import { type OpenApiOptions, toJsonSchemaKeywords } from './openapi.facts.js';
import { nullable } from './value.schema.js';

interface ModelWriter {
  reference(target: Type, path: string): JsonSchema;
  inline(target: Type, path: string): JsonSchema;
}

const DROPPED = new Set(['nullable', 'discriminator', 'xml', 'externalDocs']);
const JSON_TYPES = new Set('string number integer boolean object array null'.split(' '));

/** Turns what is written in OpenAPI 3.0 inside `@ApiProperty()` into JSON Schema. */
export class OpenApiConverter {
  constructor(
    private readonly problems: DtoProblems,
    private readonly models: ModelWriter,
  ) {}

  convert(schema: JsonSchema, owner: Type, path: string): JsonSchema {
    const part = (node: unknown) => this.convert(node as JsonSchema, owner, path);
    const converted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (DROPPED.has(key) || key.startsWith('x-') || value === undefined) continue;
      if (key === '$ref') Object.assign(converted, this.model(String(value), owner, path));
      else if (key === 'allOf') Object.assign(converted, this.allOf(value as [], owner, path));
      else if (key === 'oneOf' || key === 'anyOf') converted[key] = (value as unknown[]).map(part);
      else if (key === 'type') Object.assign(converted, this.type(value, path));
      else if (key === 'enum') converted.enum = enumValues(value);
      else if (key === 'properties') converted.properties = mapValues(value as object, part);
      else if (['items', 'additionalProperties', 'not'].includes(key)) {
        converted[key] = typeof value === 'object' ? part(value) : value;
      } else converted[key] = value;
    }
    const result = toJsonSchemaKeywords(converted);
    return schema.nullable === true ? nullable(result) : result;
  }

  private type(type: unknown, path: string): JsonSchema {
    const builtIn = describeBuiltIn(type);
    if (builtIn) return builtIn;
    const types = [type].flat();
    if (types.every((name) => JSON_TYPES.has(name as string))) return { type: type as string };
    const name = typeof type === 'function' ? type.name : JSON.stringify(type);
    this.problems.add(
      `The @ApiProperty() of "${path}" has the type ${name}, which OpenAPI does not know. Use a ` +
        'class with `type: () => Class`, or the name of a JSON type.',
    );
    return { type: 'string' };
  }

  private model(reference: string, owner: Type, path: string): JsonSchema {
    const target = this.find(reference, owner, path);
    return target ? this.models.reference(target, path) : { type: 'object' };
  }

  private find(reference: string, owner: Type, path: string): Type | undefined {
    const name = reference.split('/').at(-1);
    const target = [owner, ...readExtraModels(owner)].find(
      (model) => (readApiSchema(model).name ?? model.name) === name,
    );
    if (!target) {
      this.problems.add(
        `The @ApiProperty() of "${path}" refers to "${reference}". Add ` +
          `@ApiExtraModels(${name}) to the class "${owner.name}".`,
      );
    }
    return target;
  }

  /** Classes are closed, so that several of them hold together only as one. */
  private allOf(parts: readonly OpenApiOptions[], owner: Type, path: string): JsonSchema {
    if (parts.length === 1) return this.convert(parts[0], owner, path);
    const schemas = parts.map(({ $ref, ...rest }) => {
      const target = $ref === undefined ? undefined : this.find(String($ref), owner, path);
      return target ? this.models.inline(target, path) : this.convert(rest, owner, path);
    });
    if (schemas.some(({ properties }) => properties === undefined)) return { allOf: schemas };
    return {
      type: 'object',
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as object,
      required: [...new Set(schemas.flatMap(({ required = [] }) => required))],
      additionalProperties: false,
    } as JsonSchema;
  }
}

function mapValues(record: object, map: (value: unknown) => JsonSchema): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
