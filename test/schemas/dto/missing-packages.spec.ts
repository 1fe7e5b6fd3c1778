import { describe, expect, it, jest } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, IsNotEmpty, IsObject, IsString } from 'class-validator';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ROOT } from '../../support/compile.js';

const installed = createRequire(import.meta.url);
const missing = new Set<string>();

jest.unstable_mockModule(resolve(ROOT, 'libs/agent-tools/src/utils/require-package.cts'), () => ({
  requirePackage: (name: string): unknown => {
    if (!missing.has(name.split('/')[0])) return installed(name);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  },
}));

const { problemOf, validate } = await import('./support/describe.js');

class Documented {
  @ApiProperty()
  text!: string;
}

describe('without ajv', () => {
  it('a rule without a type is enough for simple types, and not for what only a schema describes', async () => {
    class Coarse {
      @IsNotEmpty()
      text!: string;

      @IsArray()
      @ApiProperty({ type: [Number] })
      numbers!: number[];
    }
    class Keyed {
      @IsObject()
      @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
      prices!: object;
    }
    missing.add('ajv');
    expect(await validate(Coarse, { text: 'a', numbers: [1] })).toBeInstanceOf(Coarse);
    expect(await validate(Coarse, { text: {}, numbers: ['x'] })).toHaveLength(2);
    expect(problemOf(Keyed)).toMatch(/^The property "Keyed\.prices", .* needs the package "ajv"/);
  });

  it('rules are enough, and a property without one names the package', async () => {
    class Ruled {
      @IsString()
      text!: string;
    }
    class Documented2 {
      @ApiProperty()
      text!: string;
    }
    missing.add('ajv');
    expect(await validate(Ruled, { text: 'a' })).toBeInstanceOf(Ruled);
    expect(problemOf(Documented2)).toBe(
      'The property "Documented2.text", which has no class-validator rule on its shape such as ' +
        '@IsString() or @ValidateNested(), needs the package "ajv", which is not installed. Run: npm ' +
        'install ajv ajv-formats',
    );
  });
});

describe('without class-validator', () => {
  it('@ApiProperty() is enough, and a class without anything names the package', async () => {
    class Bare {
      text!: string;
    }
    missing.clear();
    missing.add('class-validator');
    expect(await validate(Documented, { text: 'a' })).toBeInstanceOf(Documented);
    expect(problemOf(Bare)).toBe(
      'A tool whose input is a class needs the package "class-validator", which is not installed. ' +
        'Run: npm install class-validator class-transformer',
    );
  });
});
