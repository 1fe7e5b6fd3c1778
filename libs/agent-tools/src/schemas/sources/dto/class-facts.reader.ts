import type { Type } from '@nestjs/common';
import { readApiProperties, readApiSchema } from './api-property.reader.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import type { ClassFacts, ClassProblem, DtoProperty } from './class-facts.js';
import { ClassTransformerReader } from './class-transformer.reader.js';
import { readClassValidator } from './class-validator.reader.js';
import { conversionProblem, unmakeable } from './conversion.problems.js';
import { NO_VALUES, readInitialValues } from './initial-values.reader.js';
import { openApiFacts } from './openapi.facts.js';
import { isOwnDeclaration } from './own-declaration.js';
import { mergeFacts, type PropertySources } from './property-facts.merger.js';
import { readSwaggerPlugin } from './swagger-plugin.reader.js';

/** A class that several DTOs hold is read once for each side. */
const known = { input: new WeakMap<Type, ClassFacts>(), output: new WeakMap<Type, ClassFacts>() };

/** Reads all metadata of a class, of every source. */
export function readClass(target: Type, side: SchemaSide): ClassFacts {
  let facts = known[side].get(target);
  if (!facts) {
    facts = collect(target, side);
    known[side].set(target, facts);
  }
  return facts;
}

/** What was read of a class, if it was. */
export function knownClass(target: unknown, side: SchemaSide): ClassFacts | undefined {
  return known[side].get(target as Type);
}

function collect(target: Type, side: SchemaSide): ClassFacts {
  const validated = readClassValidator(target);
  const plugin = readSwaggerPlugin(target);
  const api = readApiProperties(target, plugin);
  const transformer = new ClassTransformerReader(target, side);
  const names = [...transformer.properties, ...validated.keys(), ...api.keys(), ...plugin.keys()];
  // A class that nothing marks as a DTO may do anything when it is made.
  const initial = names.length > 0 ? readInitialValues(target) : NO_VALUES;
  const described = inOrder(initial.properties, names);

  const properties: DtoProperty[] = [];
  const problems: ClassProblem[] = [];
  if (side === 'input' && initial.error) problems.push({ message: unmakeable(initial.error) });
  for (const property of described) {
    if (isComputed(target.prototype as object, property)) continue;
    const own = api.get(property);
    const written = plugin.get(property);
    const sources: PropertySources = {
      api: own && openApiFacts(own, target),
      validated: validated.get(property),
      transformed: transformer.read(property),
      plugin: written && openApiFacts(written, target),
      designType: Reflect.getMetadata('design:type', target.prototype as object, property),
      initial: initial.get(property),
      initialJson: initial.json(property),
      isOwn: isOwnDeclaration(target, property, validated.get(property)),
    };
    const { isExcluded } = sources.transformed;
    if (!isExcluded) properties.push(mergeFacts(property, sources));
    else if (side === 'input' && isMissed(sources)) problems.push({ property, message: EXCLUDED });
    const message = isExcluded ? undefined : conversionProblem(sources);
    if (message) problems.push({ property, message });
  }
  for (const property of initial.properties) {
    const isOwnState = initial.get(property) !== undefined || transformer.read(property).isExcluded;
    if (!described.has(property) && !isOwnState) problems.push({ property, message: UNDECORATED });
  }
  return {
    target,
    side,
    description: readApiSchema(target).description,
    properties,
    byInputName: new Map(properties.map((property) => [property.inputName, property])),
    isValidated: validated.size > 0,
    problems,
  };
}

/** As the class declares them, if its instances tell. */
function inOrder(declared: readonly string[], names: readonly string[]): Set<string> {
  const all = new Set(names);
  return new Set([...declared.filter((name) => all.has(name)), ...all]);
}

/** A getter without a setter: nothing can be put there. */
function isComputed(prototype: object, property: string): boolean {
  if (!(property in prototype)) return false;
  for (let owner = prototype; owner; owner = Object.getPrototypeOf(owner) as object) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, property);
    if (descriptor) return descriptor.get !== undefined && descriptor.set === undefined;
  }
  return false;
}

const UNDECORATED =
  'has no decorator, so it can neither be described nor set. Add a class-validator rule such as ' +
  "@IsString(), or @Exclude() if it is the class's own.";
const EXCLUDED =
  'is kept out of the input by class-transformer, but its class-validator rules refuse that it ' +
  'is missing. Add @IsOptional() or a value of its own, or use @Exclude({ toPlainOnly: true }).';

/** Excluded, and yet every call would be refused without it. */
function isMissed({ validated, initial }: PropertySources): boolean {
  return validated?.isRequired === true && (initial === undefined || !validated.accepts(initial));
}
