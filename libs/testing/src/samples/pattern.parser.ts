import { charactersOf } from './character.class.js';
import { NOTHING, type PatternNode } from './pattern.interface.js';

const GROUP_START = /\((?:\?(?:(?<look><?[=!])|(?:[ims-]*:)|<(?<name>[^>]+)>))?/y;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const ESCAPE =
  /\\(?:(?<edge>[bB])|(?<back>[1-9]\d*)|k<(?<name>[^>]+)>|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]+\}|.)/isuy;
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<open>,(?<max>\d*))?\})\??/y;

/** Regular expression → what to make texts from. Assertions are left out: texts are tested anyway. */
export class PatternParser {
  private position = 0;
  private groups = 0;

  constructor(private readonly pattern: string) {}

  /** @throws if the expression is not understood */
  parse(): PatternNode {
    const node = this.choice();
    if (this.position < this.pattern.length)
      throw new SyntaxError('A group ends that never began.');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.pattern[this.position] === '|') {
      this.position++;
      options.push(this.sequence());
    }
    return options.length > 1 ? { type: 'choice', options } : options[0];
  }

  private sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.position < this.pattern.length && !'|)'.includes(this.pattern[this.position])) {
      items.push(this.repeated(this.atom()));
    }
    return { type: 'sequence', items };
  }

  private repeated(item: PatternNode): PatternNode {
    const groups = this.take(QUANTIFIER)?.groups;
    if (!groups) return item;
    const { sign, min, open, max } = groups;
    if (sign) {
      return {
        type: 'repeat',
        item,
        min: sign === '+' ? 1 : 0,
        max: sign === '?' ? 1 : Infinity,
      };
    }
    return {
      type: 'repeat',
      item,
      min: Number(min),
      max: open ? Number(max || Infinity) : Number(min),
    };
  }

  private atom(): PatternNode {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.position) ?? 0);
    if (character === '(') return this.group();
    if (character === '\\') return this.escape();
    const source = character === '[' ? this.take(CLASS)?.[0] : undefined;
    if (source) return { type: 'characters', characters: charactersOf(source) };
    this.position += character.length;
    if ('^$'.includes(character)) return NOTHING;
    return {
      type: 'characters',
      characters: character === '.' ? charactersOf('.') : [character],
    };
  }

  private group(): PatternNode {
    const start = this.take(GROUP_START);
    const { look, name } = start?.groups ?? {};
    const isCaptured = start?.[0] === '(' || name !== undefined;
    const index = isCaptured ? String(++this.groups) : undefined;
    const item = this.choice();
    if (this.pattern[this.position++] !== ')') throw new SyntaxError('A group does not end.');
    if (look) return NOTHING;
    return { type: 'group', names: [index, name].filter((key) => key !== undefined), item };
  }

  private escape(): PatternNode {
    const match = this.take(ESCAPE);
    if (!match) throw new SyntaxError('An escape does not end.');
    const { edge, back, name } = match.groups ?? {};
    if (edge) return NOTHING;
    const reference = back ?? name;
    if (reference) return { type: 'reference', name: reference };
    return { type: 'characters', characters: charactersOf(match[0]) };
  }

  private take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position;
    const match = expression.exec(this.pattern);
    if (match) this.position += match[0].length;
    return match ?? undefined;
  }
}
