import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { describeRule, isKnownRule, type RuleFacts } from './class-validator.rules.js';
import { ownCheckOf, type Rule, rulesOf } from './class-validator.storage.js';
import { isScalar, type PropertyFacts, type Shape } from './property-facts.js';
import { messageOf } from './rule-message.js';
import { addKeywords } from './rule-set.js';

/** What class-validator says about a property, and how it checks it. */
export interface ValidatedFacts extends PropertyFacts {
  /** There is a rule on more than whether the value may be left out. */
  readonly hasRules: boolean;
  /** A rule tells values of the described type from others; `@IsNotEmpty()` and the like do not. */
  readonly checksValue: boolean;
  readonly checksItems: boolean;
  /** The rules say nothing of the type that the value should have when they see it. */
  readonly isNeutral: boolean;
  /** A mapped type such as `PartialType()` brought a rule from another class. */
  readonly isCopied: boolean;
  /** The rules hold only sometimes. */
  readonly isConditional: boolean;
  readonly isNested: boolean;
  /** Rules with `each`: an array, if the type does not say otherwise. */
  readonly isEach: boolean;
  /** Used if no other source knows the shape. */
  readonly vagueShape?: Shape;
  /** Whether the rules of the library accept a value that the class itself sets. */
  accepts(value: unknown): boolean;
}

const CONDITION = 'conditionalValidation';
const NESTED = 'nestedValidation';

/** Rules that fit the value as it came and what class-transformer makes of it. */
const NEUTRAL: ReadonlySet<string | undefined> = new Set([
  'isDefined',
  'isNotEmpty',
  'isArray',
  'arrayNotEmpty',
  'arrayMinSize',
  'arrayMaxSize',
]);

/** The properties of a class that have class-validator decorators. */
export function readClassValidator(target: Type): Map<string, ValidatedFacts> {
  const groups = new Map<string, Rule[]>();
  for (const rule of rulesOf(target)) {
    const group = groups.get(rule.propertyName);
    if (group) group.push(rule);
    else groups.set(rule.propertyName, [rule]);
  }
  return new Map([...groups].map(([property, rules]) => [property, readRules(rules)]));
}

function readRules(rules: readonly Rule[]): ValidatedFacts {
  const own = new RuleCollector();
  const items = new RuleCollector();
  for (const rule of rules) if (isCheck(rule)) (rule.each ? items : own).add(rule);
  const conditions = rules.filter(({ type }) => type === CONDITION);
  const isEach = rules.some(({ each }) => each);
  return {
    isRequired: conditions.length > 0 ? false : isRequired(rules),
    isArray: own.isArray || (own.shape ? false : undefined),
    shape: own.shape ?? items.shape,
    vagueShape: own.vagueShape ?? items.vagueShape,
    keywords: own.keywords,
    itemKeywords: items.keywords,
    notes: [...new Set([...own.notes, ...items.notes])],
    hasRules: rules.some((rule) => rule.type !== CONDITION),
    checksValue: own.checksType,
    checksItems: items.checksType,
    isNeutral: rules.every((rule) => !isCheck(rule) || NEUTRAL.has(rule.name)),
    // A decorator makes instances of a class of the library; the copies are plain objects.
    isCopied: rules.some((rule) => Object.getPrototypeOf(rule) === Object.prototype),
    isConditional: conditions.length > 0,
    isNested: rules.some(({ type }) => type === NESTED),
    isEach,
    accepts: (value) => rules.every((rule) => accepts(rule, value)),
  };
}

/** Puts the rules on a value, or on each item of an array, together. */
class RuleCollector {
  shape?: Shape;
  vagueShape?: Shape;
  isArray?: true;
  checksType = false;
  keywords: JsonSchema = {};
  readonly notes: string[] = [];

  add(rule: Rule): void {
    const facts = describeRule(rule.name ?? '', rule.constraints ?? []);
    this.addShape(facts);
    const { enum: values, const: value } = facts.keywords ?? {};
    // A rule with a condition of its own holds only sometimes.
    this.checksType ||= !rule.validateIf && (facts.shape ?? values ?? value) !== undefined;
    const merged = rule.validateIf ? undefined : addKeywords(this.keywords, facts.keywords ?? {});
    if (merged) this.keywords = merged;
    const words = typeof facts.words === 'string' ? facts.words : undefined;
    if (!merged || facts.words) this.note(words ?? messageOf(rule), rule);
  }

  private addShape({ shape, vagueShape, isArray }: RuleFacts): void {
    this.isArray ??= isArray;
    this.vagueShape ??= vagueShape;
    // An integer is a number, too: `@IsInt() @IsPositive()`.
    if (!this.shape || (isScalar(this.shape, 'number') && isScalar(shape, 'integer')))
      this.shape = shape;
  }

  private note(words: string | undefined, rule: Rule): void {
    if (words) this.notes.push(rule.validateIf ? `${words} (in some cases)` : words);
  }
}

function isCheck({ type }: Rule): boolean {
  return type !== CONDITION && type !== NESTED && type !== 'whitelistValidation';
}

/** The library's rules that accept `undefined`; those of the application are taken to refuse it. */
const ACCEPT_ABSENCE: ReadonlySet<string | undefined> = new Set([
  'isEmpty',
  'isNotIn',
  'notEquals',
]);

/** Nested validation alone says nothing: it lets `undefined` pass whatever the type says. */
function isRequired(rules: readonly Rule[]): boolean | undefined {
  if (rules.some((rule) => isCheck(rule) && !ACCEPT_ABSENCE.has(rule.name))) return true;
  return rules.some(({ type }) => type === NESTED) ? undefined : false;
}

/** Asks the library itself; a rule of the application is not run before the first call. */
function accepts(rule: Rule, value: unknown): boolean {
  if (!isCheck(rule) || !isKnownRule(rule.name ?? '')) return true;
  const args = {
    value,
    constraints: rule.constraints ?? [],
    targetName: '',
    object: {},
    property: rule.propertyName,
  };
  const values = rule.each && Array.isArray(value) ? value : [value];
  try {
    const check = ownCheckOf(rule);
    return values.every((item) => check.validate(item, args) === true);
  } catch {
    return false;
  }
}
