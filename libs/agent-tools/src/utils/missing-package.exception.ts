/**
 * A package is needed for what the application uses, and it is not installed.
 *
 * @publicApi
 */
export class MissingPackageException extends Error {
  constructor(
    readonly packageName: string,
    usedFor: string,
    together: readonly string[] = [],
  ) {
    super(
      `${usedFor} needs the package "${packageName}", which is not installed. Run: npm install ${[...new Set([packageName, ...together])].join(' ')}`,
    );
    this.name = 'MissingPackageException';
  }
}
