import { loadPackage } from '../../../utils/load-package.js';
import { MissingPackageException } from '../../../utils/missing-package.exception.js';

export type ClassValidator = typeof import('class-validator');
export type ClassTransformer = typeof import('class-transformer');

const USED_FOR = 'A tool whose input is a class';
const PACKAGES = ['class-validator', 'class-transformer'];
let validator: ClassValidator | undefined;
let isValidatorMissing = false;

/** Not every class needs it: `@ApiProperty()` alone describes one as well. */
export function findClassValidator(): ClassValidator | undefined {
  if (validator || isValidatorMissing) return validator;
  try {
    validator = loadPackage<ClassValidator>('class-validator', USED_FOR, ...PACKAGES);
  } catch (error) {
    if (!(error instanceof MissingPackageException)) throw error;
    isValidatorMissing = true;
  }
  return validator;
}

/** @throws MissingPackageException */
export function requireClassValidator(): void {
  loadPackage<ClassValidator>('class-validator', USED_FOR, ...PACKAGES);
}

export function loadClassTransformer(): ClassTransformer {
  return loadPackage<ClassTransformer>('class-transformer', USED_FOR, ...PACKAGES);
}

/** Ajv checks what class-validator has no rule for, or none that looks at the shape. */
export function requireAjv(property: string): void {
  loadPackage(
    'ajv/dist/2020.js',
    `The property "${property}", which has no class-validator rule on its shape such as @IsString() or ` +
      '@ValidateNested(),',
    'ajv',
    'ajv-formats',
  );
}
