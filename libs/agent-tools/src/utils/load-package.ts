import { createRequire } from 'node:module';
import { MissingPackageException } from './missing-package.exception.js';

const require = createRequire(import.meta.url);

/**
 * Loads an optional peer dependency when it is first used, so that an application which does not
 * need it neither installs it nor pays for its import.
 */
export function loadPackage<T>(specifier: string, usedFor: string): T {
  try {
    return require(specifier) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') {
      throw new MissingPackageException(packageName(specifier), usedFor);
    }
    throw error;
  }
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
