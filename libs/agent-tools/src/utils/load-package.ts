import { MissingPackageException } from './missing-package.exception.js';
import { requirePackage } from './require-package.cjs';

/**
 * Loads an optional peer dependency when it is first used, so that an application which does not
 * need it neither installs it nor pays for its import.
 *
 * @param together all packages to install for that use, for the error
 */
export function loadPackage<T>(specifier: string, usedFor: string, ...together: string[]): T {
  try {
    return requirePackage(specifier) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') {
      throw new MissingPackageException(packageName(specifier), usedFor, together);
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
