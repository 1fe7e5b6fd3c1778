import type { Type } from '@nestjs/common';
import type { OpenApiOptions } from './openapi.facts.js';
import { resolveType } from './openapi.type.js';

/** The keys under which `@nestjs/swagger` stores what its decorators say. */
const PROPERTIES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
const SCHEMA = 'swagger/apiSchema';
const EXTRA_MODELS = 'swagger/apiExtraModels';

/** What `@ApiProperty()` says itself, by property. */
export function readApiProperties(
  target: Type,
  plugin: ReadonlyMap<string, OpenApiOptions>,
): ReadonlyMap<string, OpenApiOptions> {
  const { prototype } = target as { prototype: object };
  const keys = (Reflect.getMetadata(PROPERTIES, prototype) ?? []) as readonly string[];
  const options = new Map<string, OpenApiOptions>();
  for (const key of keys) {
    const property = key.slice(1);
    const own = Reflect.getMetadata(PROPERTY, prototype, property) as OpenApiOptions | undefined;
    const designType: unknown = Reflect.getMetadata('design:type', prototype, property);
    options.set(property, explicitOptions(own ?? {}, plugin.get(property), designType));
  }
  return options;
}

/** What `@ApiSchema()` adds to the class itself. */
export function readApiSchema(target: Type): { name?: string; description?: string } {
  const schemas = (Reflect.getOwnMetadata(SCHEMA, target) ?? []) as { description?: string }[];
  return schemas.at(-1) ?? {};
}

/** The models that `getSchemaPath()` may name in the options of a class. */
export function readExtraModels(target: Type): readonly Type[] {
  return (Reflect.getMetadata(EXTRA_MODELS, target) ?? []) as readonly Type[];
}

/**
 * swagger fills in the design type, and once it has made a document also what the plugin says.
 * Neither is what somebody wrote into the decorator, so neither overrides a validation rule.
 */
function explicitOptions(
  options: OpenApiOptions,
  plugin: OpenApiOptions | undefined,
  designType: unknown,
): OpenApiOptions {
  const { type } = resolveType(options);
  const isImplied = type === designType || (plugin && isSameType(options, plugin));
  return Object.fromEntries(
    Object.entries(options).filter(([key, value]) => {
      if (key === 'type' && isImplied) return false;
      return !plugin || JSON.stringify(plugin[key]) !== JSON.stringify(value) || key === 'type';
    }),
  );
}

function isSameType(options: OpenApiOptions, plugin: OpenApiOptions): boolean {
  return resolveType(options).type === resolveType(plugin).type;
}
