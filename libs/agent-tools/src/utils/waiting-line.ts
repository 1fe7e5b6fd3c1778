interface Place<T> {
  readonly item: T;
  before?: Place<T>;
  after?: Place<T>;
}

/**
 * Items in the order in which they came, of which any may leave. (A `Set` has that order, too, but to
 * find its first item it passes over all that have left since it last grew or shrank.)
 */
export class WaitingLine<T> {
  private readonly places = new Map<T, Place<T>>();
  private head?: Place<T>;
  private tail?: Place<T>;

  get size(): number {
    return this.places.size;
  }

  get first(): T | undefined {
    return this.head?.item;
  }

  has(item: T): boolean {
    return this.places.has(item);
  }

  add(item: T): void {
    const place: Place<T> = { item, before: this.tail };
    this.places.set(item, place);
    if (this.tail) this.tail.after = place;
    else this.head = place;
    this.tail = place;
  }

  remove(item: T): void {
    const place = this.places.get(item);
    if (!place) return;
    this.places.delete(item);
    const { before, after } = place;
    if (before) before.after = after;
    else this.head = after;
    if (after) after.before = before;
    else this.tail = before;
  }
}
