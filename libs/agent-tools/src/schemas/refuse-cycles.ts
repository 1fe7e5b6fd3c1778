import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { SchemaException } from './schema.exception.js';
import { forEachSubschema, pointerTo } from './subschemas.js';

/**
 * A schema whose references were replaced by what they point to may hold itself, and has no JSON.
 *
 * @throws SchemaException
 */
export function refuseCycles(schema: JsonSchema): void {
  const parents = new Set<JsonSchema>();
  const visit = (node: JsonSchema, pointer: string) => {
    if (parents.has(node)) {
      throw new SchemaException(
        `This JSON Schema holds itself at "${pointer}". Write a \`$ref\` there, such as ` +
          '{ $ref: "#/$defs/Node" }, in place of the object.',
      );
    }
    parents.add(node);
    forEachSubschema(node, (child, place) => visit(child, pointerTo(pointer, place)));
    parents.delete(node);
  };
  visit(schema, '#');
}
