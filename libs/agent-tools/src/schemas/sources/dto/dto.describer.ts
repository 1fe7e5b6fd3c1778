import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import type { ClassFacts, DtoProperty } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { DefinitionNames } from './definition-names.js';
import {
  type DtoProblems,
  lostDiscriminator,
  notNested,
  undecoratedClass,
  unknownItems,
  unknownTransform,
  unknownType,
} from './dto.problems.js';
import { OpenApiConverter } from './openapi.converter.js';
import { requireClassValidator } from './packages.js';
import type { PropertyFacts, Shape } from './property-facts.js';
import { isTyped, nullable, valueSchema, withNotes } from './value.schema.js';

interface Tag {
  readonly property: string;
  readonly value: string;
}

/**
 * Writes classes as JSON Schema. Nested classes go to `$defs`, keyed by the constructor: two
 * classes may share a name.
 */
export class DtoDescriber {
  readonly definitions: Record<string, JsonSchema> = {};
  private readonly names = new DefinitionNames();
  private readonly openApi: OpenApiConverter;

  constructor(
    private readonly problems: DtoProblems,
    private readonly side: SchemaSide,
  ) {
    this.openApi = new OpenApiConverter(problems, {
      reference: (target, path) => this.reference(target, path),
      inline: (target, path) => this.describeClass(readClass(target, side), path),
    });
  }

  /** The whole schema of a class, which is the root: `#` in references. */
  describeRoot(root: Type): JsonSchema {
    this.names.set(root, '#');
    const facts = readClass(root, this.side);
    if (facts.properties.length === 0 && facts.problems.length === 0) {
      requireClassValidator();
      this.problems.add(undecoratedClass(root.name, root.name));
    }
    const schema = this.describeClass(facts, root.name);
    return Object.keys(this.definitions).length > 0
      ? { ...schema, $defs: this.definitions }
      : schema;
  }

  describeProperty(property: DtoProperty, path: string): JsonSchema {
    const { isArray, notes = [] } = property;
    const value = this.describeValue(
      property.shape,
      (isArray ? property.itemKeywords : property.keywords) ?? {},
      path,
    );
    if (!isTyped(value)) this.problems.add(this.unknown(property, path));
    this.findNestedProblems(property, path);
    const schema = isArray ? arraySchema(property.keywords ?? {}, value) : value;
    const whole = withNotes(schema, notes);
    return {
      ...(property.isNullable ? nullable(whole) : whole),
      ...('default' in property ? { default: property.default } : {}),
    };
  }

  reference(target: Type, path: string, tag?: Tag): JsonSchema {
    const known = this.names.find(target, tag?.value);
    if (known) return { $ref: known };
    const facts = readClass(target, this.side);
    if (facts.properties.length === 0 && facts.problems.length === 0 && !tag) {
      this.problems.add(undecoratedClass(target.name, path));
    }
    const name = this.names.add(target, tag?.value);
    const $ref = this.names.find(target, tag?.value);
    const schema = this.describeClass(facts, path);
    this.definitions[name] = tag ? withTag(schema, tag) : schema;
    return { $ref };
  }

  private describeClass(facts: ClassFacts, path: string): JsonSchema {
    for (const { property, message } of facts.problems) {
      this.problems.add(`"${property === undefined ? path : `${path}.${property}`}" ${message}`);
    }
    const entries = facts.properties.map(
      (property) =>
        [property.inputName, this.describeProperty(property, `${path}.${property.name}`)] as const,
    );
    const required = facts.properties.filter(({ isRequired }) => isRequired);
    return objectSchema(
      entries,
      required.map(({ inputName }) => inputName),
      facts.description,
    );
  }

  private describeValue(shape: Shape | undefined, keywords: JsonSchema, path: string): JsonSchema {
    // An enum says all there is about a value.
    if (keywords.enum && shape?.kind !== 'scalar') return valueSchema({}, keywords);
    return valueSchema(this.describeShape(shape, path), keywords);
  }

  private describeShape(shape: Shape | undefined, path: string): JsonSchema {
    switch (shape?.kind) {
      case undefined:
        return {};
      case 'scalar':
        return shape.schema;
      case 'class':
        return this.reference(shape.target, path);
      case 'list':
        return { type: 'array', items: this.describeShape(shape.items, path) };
      case 'openapi':
        return this.openApi.convert(shape.schema, shape.owner, path);
      case 'literal':
        return this.describeLiteral(shape.properties, path);
      case 'variants':
        return {
          anyOf: [...shape.variants].map(([value, target]) =>
            this.reference(target, path, { property: shape.discriminator, value }),
          ),
        };
    }
  }

  private describeLiteral(
    properties: Readonly<Record<string, PropertyFacts>>,
    path: string,
  ): JsonSchema {
    const all = Object.entries(properties);
    return objectSchema(
      all.map(([name, facts]) => [
        name,
        this.describeProperty(
          { ...UNNAMED, ...facts, isRequired: true, isArray: facts.isArray ?? false },
          `${path}.${name}`,
        ),
      ]),
      all.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    );
  }

  private findNestedProblems(property: DtoProperty, path: string): void {
    const { inner, nested } = property;
    // What a method returns is held against the schema, whatever rules its classes have.
    if (!inner || property.isTransformed || this.side === 'output') return;
    const targets = inner.kind === 'class' ? [inner.target] : [...inner.variants.values()];
    const classes = targets.map((target) => readClass(target, this.side));
    const ruled = nested ? undefined : classes.find(({ isValidated }) => isValidated);
    if (ruled) this.problems.add(notNested(path, ruled.target.name, property.isArray));
    if (inner.kind === 'class' || !property.losesDiscriminator) return;
    const { discriminator } = inner;
    const misses = classes.some(({ properties }) =>
      properties.some(({ name, isDemanded }) => name === discriminator && isDemanded),
    );
    if (misses) this.problems.add(lostDiscriminator(path, discriminator));
  }

  private unknown({ isArray, isTransformed, designType }: DtoProperty, path: string): string {
    if (isTransformed) return unknownTransform(path);
    return isArray || designType === Array ? unknownItems(path) : unknownType(path, designType);
  }
}

/** A property of an object literal is described, and nothing else. */
const UNNAMED = {
  name: '',
  inputName: '',
  isChecked: false,
  isDemanded: false,
  acceptsNull: false,
  losesDiscriminator: false,
  isTransformed: false,
  designType: undefined,
};

function objectSchema(
  properties: readonly (readonly [string, JsonSchema])[],
  required: readonly string[],
  description?: string,
): JsonSchema {
  return {
    type: 'object',
    ...(description ? { description } : {}),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The property by which a class is told from its siblings comes first. */
function withTag(schema: JsonSchema, { property, value }: Tag): JsonSchema {
  const { required = [] } = schema;
  return {
    ...schema,
    properties: { ...schema.properties, [property]: { type: 'string', const: value } },
    required: [...new Set([property, ...required])],
  };
}

/** The library compares objects by identity, so `uniqueItems` would refuse what it accepts. */
function arraySchema(keywords: JsonSchema, items: JsonSchema): JsonSchema {
  const { uniqueItems, ...rest } = keywords;
  const isScalar = typeof items.type === 'string' && !['object', 'array'].includes(items.type);
  const schema = valueSchema({ type: 'array' }, { ...rest, items });
  if (uniqueItems === undefined) return schema;
  return isScalar ? { ...schema, uniqueItems } : withNotes(schema, ['items must be unique']);
}
