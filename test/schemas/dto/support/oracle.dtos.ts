import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiSchema,
  getSchemaPath,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

export enum Color {
  Red = 'red',
  Blue = 'blue',
}
export enum Level {
  Low,
  High,
}
export enum Mixed {
  Text = 'text',
  Number = 1,
}

/** A difference to swagger: what we write at a place, and why. */
export type Differences = Readonly<Record<string, readonly [ours: unknown, reason: string]>>;

export class Texts {
  @ApiProperty() @IsString() plain!: string;
  @ApiProperty({ minLength: 2 }) @MinLength(2) min!: string;
  @ApiProperty({ maxLength: 5 }) @MaxLength(5) max!: string;
  @ApiProperty({ minLength: 2, maxLength: 5 }) @Length(2, 5) both!: string;
  @ApiProperty({ pattern: '^a+$' }) @Matches(/^a+$/) pattern!: string;
}
export class Formats {
  @ApiProperty({ format: 'email' }) @IsEmail() email!: string;
  @ApiProperty({ format: 'uuid' }) @IsUUID() id!: string;
  @ApiProperty() @IsDate() @Type(() => Date) at!: Date;
  @ApiProperty({ format: 'password' }) @IsString() password!: string;
}
export class Numbers {
  @ApiProperty() @IsNumber() plain!: number;
  @ApiProperty({ type: 'integer' }) @IsInt() whole!: number;
  @ApiProperty({ minimum: 1, maximum: 9 }) @Min(1) @Max(9) range!: number;
  @ApiProperty({ minimum: 0, exclusiveMinimum: true }) @IsPositive() positive!: number;
  @ApiProperty({ maximum: 5, exclusiveMaximum: true }) @IsNumber() below!: number;
  @ApiProperty({ multipleOf: 5 }) @IsNumber() steps!: number;
}
export class Integers {
  @ApiProperty() @IsInt() count!: number;
}
export class Flags {
  @ApiProperty() @IsBoolean() on!: boolean;
}
export class Optionals {
  @ApiPropertyOptional() @IsOptional() @IsString() note?: string;
  @ApiProperty({ required: false }) @IsOptional() @IsInt() page?: number;
}
export class OnlyValidatorOptional {
  @ApiProperty() @IsOptional() @IsString() note?: string;
  @ApiProperty() @ValidateIf(() => true) @IsString() maybe?: string;
}
export class Nullables {
  @ApiProperty({ type: String, nullable: true }) @IsOptional() @IsString() note!: string | null;
  @ApiProperty({ enum: Color, nullable: true }) @IsOptional() @IsEnum(Color) color!: Color | null;
}
export class Enums {
  @ApiProperty({ enum: Color }) @IsEnum(Color) color!: Color;
  @ApiProperty({ enum: Level }) @IsEnum(Level) level!: Level;
  @ApiProperty({ enum: ['a', 'b'] }) @IsIn(['a', 'b']) letter!: string;
  @ApiProperty({ enum: Color, isArray: true }) @IsEnum(Color, { each: true }) colors!: Color[];
}
export class MixedEnum {
  @ApiProperty({ enum: Mixed }) @IsEnum(Mixed) mixed!: Mixed;
}
export class NamedEnum {
  @ApiProperty({ enum: Color, enumName: 'Color' }) @IsEnum(Color) color!: Color;
}
export class Lists {
  @ApiProperty({ type: [String] }) @IsString({ each: true }) tags!: string[];
  @ApiProperty({ type: [Number], minItems: 1, maxItems: 3, uniqueItems: true })
  @IsNumber({}, { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @ArrayUnique()
  numbers!: number[];
  @ApiProperty({ type: String, isArray: true, minLength: 2 })
  @IsArray()
  @MinLength(2, { each: true })
  words!: string[];
  @ApiProperty({ type: [Date] }) @IsDate({ each: true }) @Type(() => Date) dates!: Date[];
}
export class UntypedList {
  @ApiProperty() @IsInt({ each: true }) numbers!: number[];
}
export class NestedLists {
  @ApiProperty({ type: 'array', items: { type: 'array', items: { type: 'number' } } })
  @IsArray()
  grid!: number[][];
}
export class Address {
  @ApiProperty() @IsString() city!: string;
  @ApiPropertyOptional({ pattern: '^\\d{4}$' }) @IsOptional() @Matches(/^\d{4}$/) zip?: string;
}
export class Nested {
  @ApiProperty() @ValidateNested() @Type(() => Address) home!: Address;
  @ApiProperty({ description: 'At work.' }) @ValidateNested() @Type(() => Address) work!: Address;
  @ApiProperty({ type: [Address], minItems: 1 })
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => Address)
  others!: Address[];
}
export class NullableNested {
  @ApiProperty({ type: () => Address, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => Address)
  home!: Address | null;
}
export class Tree {
  @ApiProperty() @IsString() name!: string;
  @ApiProperty({ type: () => [Tree], required: false })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Tree)
  children?: Tree[];
}
export class Ping {
  @ApiProperty({ type: () => Pong, required: false })
  @IsOptional()
  @ValidateNested()
  @Type(() => Pong)
  pong?: unknown;
}
export class Pong {
  @ApiProperty({ type: () => Ping, required: false })
  @IsOptional()
  @ValidateNested()
  @Type(() => Ping)
  ping?: unknown;
}
export class Descriptions {
  @ApiProperty({ description: 'Of the box.', title: 'Colour', example: 'red', deprecated: true })
  @IsString()
  color!: string;
}
@ApiSchema({ description: 'An order.' })
export class DescribedClass {
  @ApiProperty() @IsString() number!: string;
}
export class Defaults {
  @ApiProperty({ default: 10, required: false }) @IsInt() limit: number = 10;
  @ApiProperty({ default: ['a'], type: [String], required: false })
  @IsString({ each: true })
  tags: string[] = ['a'];
}
export class Base {
  @ApiProperty() @IsString() id!: string;
  @ApiProperty({ minLength: 1 }) @MinLength(1) name!: string;
}
export class Derived extends Base {
  @ApiProperty({ type: 'integer' }) @IsInt() count!: number;
}
export class Overriding extends (Base as new () => object) {
  @ApiProperty({ minLength: 5 }) @MinLength(5) name!: string;
}
export class PartialOrder extends PartialType(Texts) {}
export class PickedOrder extends PickType(Numbers, ['plain', 'range'] as const) {}
export class OmittedOrder extends OmitType(Formats, ['password'] as const) {}
export class BothOrders extends IntersectionType(Address, PartialType(Enums)) {}
export class FreeObject {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } }) prices!: object;
  @ApiProperty({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] })
  a!: object;
}
@ApiExtraModels(Address, Base)
export class Unions {
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Address) }, { $ref: getSchemaPath(Base) }] })
  place!: unknown;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number', nullable: true }] }) id!: unknown;
  @ApiProperty({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } })
  list!: unknown;
}
/** Without rules of its own, which `@ValidateNested()` would have to apply. */
class Site {
  @ApiProperty() city!: string;
}
export class OnlyApi {
  @ApiProperty({ minimum: 3 }) count!: number;
  @ApiProperty({ type: () => [Site], required: false }) places?: Site[];
  @ApiProperty() at!: Date;
}
export class PluginOnly {
  name!: string;
  mode?: string;
  places!: Site[];
  note!: string | null;
  static _OPENAPI_METADATA_FACTORY() {
    return {
      name: { required: true, type: () => String, minLength: 2, description: 'Who.' },
      mode: { required: false, enum: ['fast', 'slow'], type: () => String },
      places: { required: true, type: () => [Site] },
      note: { required: true, type: () => String, nullable: true },
    };
  }
}
export class PluginAndRules {
  @IsEmail() email!: string;
  @IsOptional() @IsInt() @Min(1) count?: number;
  static _OPENAPI_METADATA_FACTORY() {
    return {
      email: { required: true, type: () => String, format: 'email' },
      count: { required: false, type: () => Number, minimum: 1 },
    };
  }
}
export class PluginLiteral {
  point!: { x: number; y?: number };
  static _OPENAPI_METADATA_FACTORY() {
    return {
      point: {
        required: true,
        type: () => ({
          x: { required: true, type: () => Number },
          y: { required: false, type: () => Number },
        }),
      },
    };
  }
}
export class PluginDerived extends PluginOnly {
  extra!: boolean;
  static override _OPENAPI_METADATA_FACTORY() {
    return { extra: { required: true, type: () => Boolean } } as never;
  }
}
export class PartialPlugin extends PartialType(PluginOnly) {}
export class Exposed {
  @ApiProperty() @Expose({ name: 'full_name' }) @IsString() fullName!: string;
}
export class Hidden {
  @ApiProperty() @IsString() name!: string;
  @ApiProperty() @Exclude() secret!: string;
}
export class Transformed {
  @ApiProperty({ type: String })
  @Transform(({ value }) => String(value).split(','))
  @IsString({ each: true })
  tags!: string[];
}
export class Dates {
  @ApiProperty() @IsDateString() on!: string;
}

/** Each class with where and why we differ from swagger. */
export const ORACLE: readonly (readonly [new () => object, Differences?])[] = [
  [Texts],
  [Formats],
  [Numbers],
  [
    Integers,
    { 'properties.count.type': ['integer', 'swagger sees the design type; the rule is narrower'] },
  ],
  [Flags],
  [Optionals, { 'properties.page.type': ['integer', 'the rule is narrower'] }],
  [
    OnlyValidatorOptional,
    { required: [undefined, 'at run time only class-validator reads @IsOptional, @ValidateIf'] },
  ],
  [Nullables, { required: [undefined, '@IsOptional() lets it be missing'] }],
  [Enums],
  [MixedEnum, { 'properties.mixed.type': [['string', 'number'], 'swagger types it as string'] }],
  [
    NamedEnum,
    {
      'properties.color': [{ type: 'string', enum: ['red', 'blue'] }, 'an enum has no $ref'],
      $defs: [undefined, 'an enum has no $ref'],
    },
  ],
  [Lists],
  [
    UntypedList,
    { 'properties.numbers.items': [{ type: 'integer' }, 'swagger takes string for any array'] },
  ],
  [NestedLists],
  [Nested],
  [NullableNested, { required: [undefined, '@IsOptional() lets it be missing'] }],
  [Tree],
  [Ping],
  [Descriptions],
  [DescribedClass],
  [Defaults, { 'properties.limit.type': ['integer', 'the rule is narrower'] }],
  [Derived],
  [Overriding],
  [PartialOrder],
  [PickedOrder],
  [OmittedOrder],
  [BothOrders],
  [
    FreeObject,
    {
      required: [['prices', 'a'], 'swagger takes `required` of the inner object for its own'],
    },
  ],
  [Unions],
  [OnlyApi],
  [PluginOnly],
  [PluginAndRules, { 'properties.count.type': ['integer', 'the plugin has the design type only'] }],
  [
    PluginLiteral,
    { 'properties.point.additionalProperties': [false, 'object literals are closed, too'] },
  ],
  [PluginDerived],
  [PartialPlugin],
  [
    Exposed,
    {
      'properties.fullName': [undefined, 'the input has the name that @Expose() gives'],
      'properties.full_name': [{ type: 'string' }, 'the input has the name that @Expose() gives'],
      required: [['full_name'], 'the input has the name that @Expose() gives'],
    },
  ],
  [
    Hidden,
    {
      'properties.secret': [undefined, 'class-transformer drops it from the input'],
      required: [['name'], 'class-transformer drops it from the input'],
    },
  ],
  [Transformed],
  [
    Dates,
    {
      'properties.on.description': ['must be an ISO 8601 date', 'what no keyword says is in words'],
    },
  ],
];
