// Where two JSON values differ, as a list of "path: one ≠ other".
import { isDeepStrictEqual } from 'node:util';

export function differences(one, other, path = '') {
  if (isDeepStrictEqual(one, other)) return [];
  const isTree = (value) => typeof value === 'object' && value !== null;
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) {
    return [`${path || '.'}: ${short(one)} ≠ ${short(other)}`];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`));
}

/** Without fields that are `null`, undefined or named. */
export function without(value, ...names) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => (one ?? null) !== null && !names.includes(key)),
  );
}

function short(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
