import type { StandardSchemaV1 } from '@standard-schema/spec';

/** Issues of arktype and valibot hold these beside a message that repeats the value. */
interface DetailedIssue {
  readonly expected?: unknown;
  /** arktype */
  readonly actual?: unknown;
  /** valibot */
  readonly received?: unknown;
}

/** Where the messages of arktype and valibot go on with the value. */
const VALUE_PART = /:? ?(\(was .*\)|(?:but )?received .*)$/is;

/** What an issue says was expected, without the value that came. */
export function expectationOf(issue: StandardSchemaV1.Issue): string {
  const { expected, actual, received } = issue as DetailedIssue;
  const repeatsValue = actual !== undefined || received !== undefined;
  if (!repeatsValue) return issue.message;
  const text = typeof expected === 'string' ? expected : issue.message;
  const withoutValue = text.replace(VALUE_PART, '');
  if (withoutValue === '') return 'is not valid';
  return withoutValue.includes('must be') ? withoutValue : `must be ${withoutValue}`;
}
