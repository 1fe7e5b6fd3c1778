import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { isSame } from './keywords.js';
import { keyOf, type SchemaNode } from './schema-node.js';

interface MergedProperties {
  readonly schema: JsonSchema;
  readonly places: readonly (readonly [string, string])[];
}

/** The properties of two objects together. A closed one forbids those of the other that it lacks. */
export function mergeProperties(
  a: SchemaNode,
  b: SchemaNode,
): MergedProperties | 'never' | undefined {
  const isOpen = (node: SchemaNode) => (node.schema.additionalProperties ?? true) === true;
  const hasPatterns = (node: SchemaNode) => 'patternProperties' in node.schema;
  // What is additional to one would be named by a pattern of the other.
  if ((hasPatterns(a) && !isOpen(b)) || (hasPatterns(b) && !isOpen(a))) return undefined;
  const inA = a.schema.properties ?? {};
  const inB = b.schema.properties ?? {};
  const onlyB = Object.keys(inB).filter((name) => !Object.hasOwn(inA, name));
  const onlyA = Object.keys(inA).filter((name) => !Object.hasOwn(inB, name));
  const forbidden = new Set<string>();
  for (const [node, names] of [
    [a, onlyB],
    [b, onlyA],
  ] as const) {
    if (isOpen(node) || names.length === 0) continue;
    // A schema for further properties, or patterns, would have to be said for each of them.
    if (node.schema.additionalProperties !== false || hasPatterns(node)) return undefined;
    for (const name of names) forbidden.add(name);
  }
  const required = [...(a.schema.required ?? []), ...(b.schema.required ?? [])];
  if (required.some((name) => forbidden.has(name))) return 'never';
  const additional = mergeAdditional(a.schema, b.schema);
  if (additional === undefined) return undefined;
  const patterns = mergePatterns(a.schema, b.schema);
  if (!patterns) return undefined;

  const properties: [string, JsonSchema][] = [];
  const places: [string, string][] = [];
  for (const [name, schema] of Object.entries(inA)) {
    if (forbidden.has(name)) continue;
    const other = Object.hasOwn(inB, name) ? inB[name] : undefined;
    const own = a.child(schema, 'properties', name);
    properties.push([name, other ? both(own, b.child(other, 'properties', name)) : schema]);
    places.push([keyOf('properties', name), own.path]);
  }
  for (const name of onlyB) {
    if (forbidden.has(name)) continue;
    properties.push([name, inB[name]]);
    places.push([keyOf('properties', name), b.placeOf('properties', name)]);
  }
  for (const keyword of ['additionalProperties', 'patternProperties']) {
    if (!(keyword in a.schema) && keyword in b.schema) {
      places.push([keyword, b.placeOf(keyword)]);
    }
  }
  const hasProperties = 'properties' in a.schema || 'properties' in b.schema;
  return {
    schema: {
      ...(hasProperties ? { properties: Object.fromEntries(properties) } : {}),
      ...additional,
      ...patterns,
    },
    places,
  };
}

function both(a: SchemaNode, b: SchemaNode): JsonSchema {
  if (!isSame(b.schema, a.schema)) return a.compose('allOf', [a, b]);
  a.cover(a.path, b.path);
  return a.schema;
}

function mergeAdditional(a: JsonSchema, b: JsonSchema): JsonSchema | undefined {
  const [left, right] = [a.additionalProperties, b.additionalProperties];
  if (left === false || right === false) return { additionalProperties: false };
  if (left === undefined || left === true) {
    const additionalProperties = right ?? left;
    return additionalProperties === undefined ? {} : { additionalProperties };
  }
  if (right === undefined || right === true || isSame(left, right)) {
    return { additionalProperties: left };
  }
  return undefined;
}

function mergePatterns(a: JsonSchema, b: JsonSchema): JsonSchema | undefined {
  const patterns = a.patternProperties ?? b.patternProperties;
  if (
    a.patternProperties &&
    b.patternProperties &&
    !isSame(a.patternProperties, b.patternProperties)
  ) {
    return undefined;
  }
  return patterns === undefined ? {} : { patternProperties: patterns };
}
