/**
 * A package is needed for what the application uses, and it is not installed.
 *
 * @publicApi
 */
export class MissingPackageException extends Error {
  constructor(
    readonly packageName: string,
    usedFor: string,
  ) {
    super(
      `${usedFor} needs the package "${packageName}", which is not installed. Run: npm install ${packageName}`,
    );
    this.name = 'MissingPackageException';
  }
}
