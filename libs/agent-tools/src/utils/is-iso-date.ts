const ISO_DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-][01]\d:[0-5]\d))?$/;

/**
 * Whether a text is a date, or a date-time with its offset, as ISO 8601 and RFC 3339 write them: an
 * existing day, and no time that depends on where it is read.
 */
export function isIsoDate(text: string): boolean {
  const [, year, month, day] = ISO_DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
