import type { ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { ACTION, ACTION_INPUT, isBlank, OBSERVATION, RESPONSE_TAG } from '../markup.js';

/** More on the line of an `Action:` than the longest name and some marks around it is no name. */
const MARKS = 16;

/** Behind `Action:`, where the name of a tool and then an `Action Input:` are expected. */
export class ActionState implements ScanState {
  private held = ACTION;
  private name?: string;
  private readonly longest: number;

  constructor(private readonly context: ScanContext) {
    let longest = 0;
    for (const { length } of context.names) longest = Math.max(longest, length);
    this.longest = ACTION.length + longest + MARKS;
  }

  get raw(): string {
    return this.held;
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const character = text[next];
      if (this.name === undefined) {
        const isLine = character !== '\n';
        if (isLine ? this.held.length >= this.longest : !this.readName()) return this.giveUp(next);
      } else if (!isBlank(character)) {
        this.expectInput(this.name);
        return next;
      }
      this.held += character;
    }
    return text.length;
  }

  end(): void {
    const isCall = this.readName() && this.context.hasThought;
    if (isCall && this.name !== undefined) this.add(this.name);
    else this.giveUp(0);
  }

  private readName(): boolean {
    if (this.name !== undefined) return true;
    const name = this.held
      .slice(ACTION.length)
      .trim()
      .replace(/^[`"'*]+|[`"'*]+$/g, '');
    if (!this.context.names.has(name)) return false;
    this.name = name;
    return true;
  }

  private expectInput(name: string): void {
    const { context, held } = this;
    context.toOpening({
      patterns: [ACTION_INPUT, OBSERVATION, RESPONSE_TAG],
      before: held,
      onMatch: (pattern) => {
        if (pattern === ACTION_INPUT) return context.toActionInput(name, held + pattern);
        this.add(name);
        context.cut();
      },
      onMiss: (begun) => {
        this.giveUp(0);
        context.read(begun);
      },
    });
  }

  private add(name: string): void {
    this.context.addCalls([{ name, arguments: '' }]);
  }

  private giveUp(next: number): number {
    this.context.output.show(this.held);
    this.context.toProse();
    return next;
  }
}
