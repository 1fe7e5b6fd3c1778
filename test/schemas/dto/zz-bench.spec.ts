import { it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, Matches, Max, Min, MinLength, ValidateNested, IsEnum, IsArray } from 'class-validator';
import { createSchema } from '../../../libs/agent-tools/src/schemas/tool-schema.factory.js';
enum E { A = 'a', B = 'b' }
function make() {
  class Inner { @IsString() city!: string; @IsOptional() @Matches(/^a/) zip?: string; }
  class Dto {
    @IsInt() @Min(1) @Max(9) a!: number;
    @IsEmail() b!: string;
    @IsString() @MinLength(2) c!: string;
    @IsOptional() @IsString() d?: string;
    @IsEnum(E) e!: E;
    @IsArray() @IsString({ each: true }) f!: string[];
    @ValidateNested() @Type(() => Inner) g!: Inner;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Inner) h?: Inner[];
  }
  return Dto;
}
it('bench', async () => {
  const classes = Array.from({ length: 1000 }, make);
  const t = performance.now();
  for (const c of classes) createSchema(c);
  const t1 = performance.now();
  const schema = createSchema(classes[0]);
  const input = { a: 1, b: 'a@b.co', c: 'xx', e: 'a', f: ['x'], g: { city: 'b' }, h: [{ city: 'c' }] };
  const t2 = performance.now();
  for (let i = 0; i < 20; i++) await schema['~standard'].validate(input);
  const t3 = performance.now();
  const { plainToInstance } = await import('class-transformer');
  const { validate } = await import('class-validator');
  for (let i = 0; i < 20; i++) await validate(plainToInstance(classes[0], input) as object, { whitelist: true, forbidNonWhitelisted: true });
  const t4 = performance.now();
  process.stderr.write(`describe 1000: ${t1 - t} ms; validate ${(t3 - t2) / 2} us; libs alone ${(t4 - t3) / 2} us\n`);
});
