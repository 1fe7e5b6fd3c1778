import { SchemaException } from '../../schema.exception.js';

/** Collects what is wrong with a DTO, so that all of it comes in one message. */
export class DtoProblems {
  private readonly messages = new Set<string>();

  constructor(private readonly dtoName: string) {}

  add(message: string): void {
    this.messages.add(message);
  }

  throwIfAny(): void {
    const messages = [...this.messages];
    if (messages.length === 0) return;
    throw new SchemaException(
      messages.length === 1
        ? messages[0]
        : `${messages.length} problems with the class "${this.dtoName}":\n` +
            messages.map((message) => `  - ${message}`).join('\n'),
    );
  }
}

const ITEM_REMEDY =
  'Add @Type(() => Item) with @ValidateNested({ each: true }), a rule with { each: true } such as ' +
  '@IsString({ each: true }), or @ApiProperty({ type: [Item] }).';
const VALUE_REMEDY =
  'Add a class-validator rule such as @IsString(), @ValidateNested() with @Type(() => Class), or ' +
  '@ApiProperty({ type: … }).';

export function undecoratedClass(name: string, path: string): string {
  return (
    `Class "${name}" (${path}) has no class-validator decorator and no @ApiProperty(), so nothing ` +
    'of it can be described. Decorate its properties, or give the tool an `inputSchema`.'
  );
}

export function notNested(path: string, className: string, isArray: boolean): string {
  return (
    `"${path}" is of class "${className}", whose class-validator rules apply only to nested objects ` +
    `that are marked. Add @ValidateNested(${isArray ? '{ each: true }' : ''}).`
  );
}

export function lostDiscriminator(path: string, discriminator: string): string {
  return (
    `"${path}" loses "${discriminator}", which a rule of the class demands, when class-transformer ` +
    'makes the instance. Add keepDiscriminatorProperty: true to the options of @Type().'
  );
}

export function unknownItems(path: string): string {
  return `The type of the items of "${path}" is unknown. ${ITEM_REMEDY}`;
}

export function unknownTransform(path: string): string {
  return (
    `"${path}" has a @Transform(), so its type does not tell what the input may be. Add ` +
    '@ApiProperty({ type: … }), or a class-validator rule that the input fulfils, too.'
  );
}

export function unknownType(path: string, designType: unknown): string {
  return `The type of "${path}" cannot be described: ${reasonFor(designType)}. ${VALUE_REMEDY}`;
}

function reasonFor(designType: unknown): string {
  if (designType === undefined) {
    return 'TypeScript\'s metadata says nothing (is "emitDecoratorMetadata" on?)';
  }
  if (designType === Object) {
    return (
      'TypeScript\'s metadata says only "Object", as it does for interfaces, unions, `unknown` and ' +
      'classes brought in by `import type`'
    );
  }
  const name = typeof designType === 'function' ? designType.name : String(designType);
  return designType === Set || designType === Map || designType === BigInt
    ? `JSON has no ${name}`
    : `TypeScript's metadata says "${name}"`;
}
