import { isKnownRule } from './class-validator.rules.js';
import { customCheckOf, ownCheckOf, type Rule, type RuleCheck } from './class-validator.storage.js';

/** The messages of the library's own rules, which differ in nothing but their constraints. */
const known = new Map<string, string | undefined>();

/** What a rule demands in the library's own words, without the name of the property. */
export function messageOf(rule: Rule): string | undefined {
  const message = templateOf(rule);
  if (!message) return undefined;
  const constraints = rule.constraints ?? [];
  return message
    .replace(/^(each value in )?\$property /, '')
    .replaceAll(/\$constraint(\d+)/g, (token, index) => textOf(constraints[index - 1], token))
    .replaceAll('$property', 'it')
    .replaceAll('$target', '')
    .replace(/\.$/, '');
}

/** A message that somebody wrote is for people, and may be a key of translations. */
function templateOf(rule: Rule): string | undefined {
  const { name = '' } = rule;
  if (!isKnownRule(name)) {
    return typeof rule.message === 'string'
      ? rule.message
      : defaultMessage(rule, customCheckOf(rule));
  }
  if (!known.has(name)) known.set(name, defaultMessage(rule, ownCheckOf(rule)));
  return known.get(name);
}

/** A rule of the application may need what is not there before the first call. */
function defaultMessage(rule: Rule, check: RuleCheck | undefined): string | undefined {
  try {
    return check?.defaultMessage?.({
      value: undefined,
      constraints: rule.constraints ?? [],
      targetName: '',
      object: {},
      property: '$property',
    });
  } catch {
    return undefined;
  }
}

function textOf(constraint: unknown, token: string): string {
  if (constraint === undefined) return token;
  if (Array.isArray(constraint)) return constraint.map(String).join(', ');
  return typeof constraint === 'symbol' ? String(constraint.description) : String(constraint);
}
