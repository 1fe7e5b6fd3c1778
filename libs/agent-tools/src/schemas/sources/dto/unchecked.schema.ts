import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import { mapSubschemas } from '../../subschemas.js';
import type { ClassFacts, DtoProperty, NestedShape } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { DefinitionNames } from './definition-names.js';
import { DtoDescriber } from './dto.describer.js';
import { DtoProblems } from './dto.problems.js';
import { nullable } from './value.schema.js';

/** The properties that class-validator has no rule for, as a schema that Ajv checks. */
export interface UncheckedSchema {
  readonly schema: JsonSchema;
  readonly firstPath: string;
}

/**
 * @param entered the classes that class-validator enters from the root
 * @returns undefined if it checks everything that they have
 */
export function uncheckedSchema(
  root: ClassFacts,
  entered: readonly ClassFacts[],
): UncheckedSchema | undefined {
  if (entered.every(({ properties }) => properties.every(({ isChecked }) => isChecked))) {
    return undefined;
  }
  const builder = new UncheckedSchemaBuilder(root);
  const { $ref } = builder.reference(root.target);
  // Defaults are filled in by the classes, which know where each of them is declared.
  const schema = withoutDefaults({ $ref, $defs: builder.definitions });
  return { schema, firstPath: builder.firstPath };
}

function withoutDefaults(schema: JsonSchema): JsonSchema {
  const { default: _default, ...rest } = mapSubschemas(schema, withoutDefaults);
  return rest;
}

class UncheckedSchemaBuilder {
  firstPath = '';
  private readonly names = new DefinitionNames();
  private readonly own: Record<string, JsonSchema> = {};
  private readonly side: SchemaSide;
  private readonly describer: DtoDescriber;

  constructor({ target, side }: ClassFacts) {
    this.side = side;
    this.describer = new DtoDescriber(new DtoProblems(target.name), side);
  }

  get definitions(): Record<string, JsonSchema> {
    return { ...this.describer.definitions, ...this.own };
  }

  reference(target: Type): JsonSchema {
    const known = this.names.find(target);
    if (known) return { $ref: known };
    // Beside the whole classes, which the unchecked properties may name.
    const name = `${this.names.add(target)}.unchecked`;
    const $ref = `#/$defs/${name}`;
    this.names.set(target, $ref);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of readClass(target, this.side).properties) {
      const schema = this.describe(property, `${target.name}.${property.name}`);
      if (schema) properties[property.inputName] = schema;
      if (!property.isChecked && property.isRequired) required.push(property.inputName);
    }
    this.own[name] = { properties, required };
    return { $ref };
  }

  private describe(property: DtoProperty, path: string): JsonSchema | undefined {
    if (property.isChecked) return property.nested && this.enter(property.nested);
    this.firstPath ||= path;
    const schema = this.describer.describeProperty(property, path);
    return property.acceptsNull ? nullable(schema) : schema;
  }

  /** An object or an array of them: class-validator takes both in every place. */
  private enter(nested: NestedShape): JsonSchema {
    if (nested.kind === 'class') {
      const schema = this.reference(nested.target);
      return { ...schema, items: schema };
    }
    const allOf = [...nested.variants].map(([value, target]) => ({
      if: {
        properties: { [nested.discriminator]: { const: value } },
        required: [nested.discriminator],
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: this.reference(target),
    }));
    return { allOf, items: { allOf } };
  }
}
