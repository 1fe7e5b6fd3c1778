import { describe, expect, it } from '@jest/globals';
import { schemaOf } from './support/describe.js';
import { type Differences, ORACLE } from './support/oracle.dtos.js';
import { swaggerSchemaOf } from './support/swagger.document.js';

type Json = Record<string, unknown>;

/** Puts our value where we differ on purpose, and fails where there is no difference any more. */
function withDifferences(swagger: Json, differences: Differences): Json {
  const copy = structuredClone(swagger);
  for (const [path, [ours]] of Object.entries(differences)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const place = keys.reduce<Json>((node, key) => node[key] as Json, copy);
    expect(place[last]).not.toEqual(ours);
    if (ours === undefined) delete place[last];
    else place[last] = ours;
  }
  return copy;
}

/** The order of `required` says nothing. */
function sorted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sorted);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'required' ? [...(value as string[])].toSorted() : sorted(value),
    ]),
  );
}

describe('the schema of a DTO equals that of @nestjs/swagger', () => {
  it('for at least 30 classes', () => {
    expect(ORACLE.length).toBeGreaterThanOrEqual(30);
  });

  it.each(ORACLE.map(([target, differences]) => [target.name, target, differences] as const))(
    '%s',
    (_name, target, differences = {}) => {
      const ours = schemaOf(target);
      const swagger = withDifferences(swaggerSchemaOf(target), differences);
      expect(sorted(ours)).toEqual(sorted(JSON.parse(JSON.stringify(swagger))));
    },
  );
});
