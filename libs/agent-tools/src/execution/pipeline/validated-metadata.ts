import type { PipeTransform } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { validatedSchema } from './validated-schema.js';

type ArgumentMetadata = Parameters<PipeTransform['transform']>[1];

/**
 * What pipes are told about a parameter whose value a Standard Schema has validated already. Few pipes
 * ask for the schema, so it is made when one does.
 */
export class ValidatedMetadata {
  readonly type: ArgumentMetadata['type'];
  readonly metatype: ArgumentMetadata['metatype'];
  readonly data: ArgumentMetadata['data'];

  constructor(
    { type, metatype, data }: ArgumentMetadata,
    private readonly validated: StandardSchemaV1,
    private readonly value: unknown,
  ) {
    this.type = type;
    this.metatype = metatype;
    this.data = data;
  }

  get schema(): StandardSchemaV1 {
    return validatedSchema(this.validated, this.value);
  }
}
