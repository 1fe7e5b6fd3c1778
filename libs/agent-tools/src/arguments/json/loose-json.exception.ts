/** Text cannot be read as JSON without a guess. The message says where the doubt is. */
export class LooseJsonException extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LooseJsonException';
  }
}
