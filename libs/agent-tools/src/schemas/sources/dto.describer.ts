import type { Type } from '@nestjs/common';
import { loadPackage } from '../../utils/load-package.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { ARRAY_RULES, keywordsOf, withImpliedType } from './class-validator.keywords.js';
import { describeBuiltIn } from './built-in-type.source.js';

type ClassValidator = typeof import('class-validator');
type Rule = ReturnType<
  ReturnType<ClassValidator['getMetadataStorage']>['getTargetValidationMetadatas']
>[number];
/** class-transformer does not export its storage from its root. */
interface TransformerStorage {
  readonly defaultMetadataStorage: {
    findTypeMetadata(target: Type, property: string): { typeFunction(): unknown } | undefined;
  };
}

const USED_FOR = 'A tool whose input is a class';
const PACKAGES = ['class-validator', 'class-transformer'];

/**
 * Reads class-validator's and class-transformer's metadata of a class and of the classes nested in
 * it. Nested classes go to `$defs`, keyed by the constructor: two classes may share a name.
 */
export class DtoDescriber {
  private readonly names = new Map<Type, string>();
  private readonly definitions: Record<string, JsonSchema> = {};

  constructor(private readonly root: Type) {}

  describe(): JsonSchema {
    this.names.set(this.root, '#');
    const schema = this.describeClass(this.root, this.root.name);
    return Object.keys(this.definitions).length > 0
      ? { ...schema, $defs: this.definitions }
      : schema;
  }

  private describeClass(target: Type, path: string): JsonSchema {
    const rules = groupByProperty(this.rulesOf(target));
    if (rules.size === 0) {
      throw new SchemaException(
        `Class "${target.name}" (${path}) has no class-validator decorator, so nothing of it can be ` +
          'described. Decorate its properties, or give the tool an `inputSchema`.',
      );
    }
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [property, own] of rules) {
      properties[property] = this.describeProperty(target, property, own, `${path}.${property}`);
      if (!own.some((rule) => rule.type === 'conditionalValidation')) required.push(property);
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    };
  }

  private describeProperty(
    target: Type,
    property: string,
    rules: readonly Rule[],
    path: string,
  ): JsonSchema {
    const designType: unknown = Reflect.getMetadata('design:type', target.prototype, property);
    const isArray =
      designType === Array || rules.some(({ each, name }) => each || name === 'isArray');
    const onArray: JsonSchema = mergeKeywords(
      rules.filter((rule) => ARRAY_RULES.has(rule.name ?? '')),
    );
    const onValue = mergeKeywords(rules.filter((rule) => !ARRAY_RULES.has(rule.name ?? '')));
    const value = withImpliedType({
      ...this.describeType(target, property, isArray ? undefined : designType, rules, path),
      ...onValue,
    });
    if (Object.keys(value).length === 0 || !isTyped(value)) {
      throw new SchemaException(
        isArray
          ? `The type of the items of "${path}" is unknown. Add @Type(() => Item) with ` +
              '@ValidateNested({ each: true }), or a rule with { each: true }.'
          : `The type of "${path}" cannot be described. Add a class-validator rule such as ` +
              '@IsString(), or @ValidateNested() with @Type(() => Class).',
      );
    }
    return isArray ? { ...onArray, type: 'array', items: value } : value;
  }

  private describeType(
    target: Type,
    property: string,
    designType: unknown,
    rules: readonly Rule[],
    path: string,
  ): JsonSchema {
    const declared = transformerStorage().findTypeMetadata(target, property)?.typeFunction();
    const type = declared ?? designType;
    if (rules.some((rule) => rule.type === 'nestedValidation') && typeof type === 'function') {
      return this.reference(type as Type, path);
    }
    return describeBuiltIn(type) ?? {};
  }

  private reference(target: Type, path: string): JsonSchema {
    const known = this.names.get(target);
    if (known) return { $ref: known };
    const taken = new Set(this.names.values());
    let name = target.name;
    for (let suffix = 2; taken.has(`#/$defs/${name}`); suffix++) name = `${target.name}${suffix}`;
    this.names.set(target, `#/$defs/${name}`);
    this.definitions[name] = this.describeClass(target, path);
    return { $ref: `#/$defs/${name}` };
  }

  private rulesOf(target: Type): Rule[] {
    const { getMetadataStorage } = loadPackage<ClassValidator>(
      'class-validator',
      USED_FOR,
      ...PACKAGES,
    );
    return getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  }
}

function groupByProperty(rules: readonly Rule[]): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) {
    const group = groups.get(rule.propertyName);
    if (group) group.push(rule);
    else groups.set(rule.propertyName, [rule]);
  }
  return groups;
}

function mergeKeywords(rules: readonly Rule[]): JsonSchema {
  const parts = rules.map((rule) => keywordsOf(rule.name ?? '', rule.constraints ?? []));
  return Object.assign({}, ...parts) as JsonSchema;
}

function isTyped(schema: JsonSchema): boolean {
  return schema.type !== undefined || schema.$ref !== undefined;
}

function transformerStorage(): TransformerStorage['defaultMetadataStorage'] {
  return loadPackage<TransformerStorage>('class-transformer/cjs/storage.js', USED_FOR, ...PACKAGES)
    .defaultMetadataStorage;
}
