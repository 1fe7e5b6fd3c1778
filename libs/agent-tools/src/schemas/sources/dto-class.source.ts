import type { SchemaSide, ToolOutputSchema } from '../interfaces/tool-schema.interface.js';
import { createToolSchema } from '../create-tool-schema.js';
import { readClass } from './dto/class-facts.reader.js';
import { DtoDescriber } from './dto/dto.describer.js';
import { DtoProblems } from './dto/dto.problems.js';
import { dtoSerializer } from './dto/dto.serializer.js';
import { dtoValidator } from './dto/dto.validator.js';
import { isClass } from './dto/is-class.js';

export { isClass } from './dto/is-class.js';

/**
 * A class with decorators of class-validator, class-transformer or `@nestjs/swagger`. The method
 * gets an instance, made and checked by class-transformer and class-validator themselves; a model
 * cannot set what the schema does not show.
 *
 * On the output side, it is what a method returns that is checked, and what goes on is what
 * class-transformer writes of it.
 *
 * @throws SchemaException with everything in the class that cannot be described
 */
export function fromDtoClass(
  source: unknown,
  side: SchemaSide = 'input',
): ToolOutputSchema | undefined {
  if (!isClass(source)) return undefined;
  const problems = new DtoProblems(source.name);
  const jsonSchema = new DtoDescriber(problems, side).describeRoot(source);
  problems.throwIfAny();
  return createToolSchema(
    readClass(source, side).isValidated ? 'class-validator' : 'swagger',
    jsonSchema,
    side === 'input' ? dtoValidator(source) : dtoSerializer(source),
  );
}
