import type { MatrixCase } from './cases.js';
import { KINDS, type EnhancerReference, type Kind } from './enhancers.js';
import { FORMS, type HostForm } from './forms.js';
import type { HostParts, Placement } from './hosts.js';

const [PLAIN] = FORMS;

/** Hosts as a faulty pipeline would treat them: the matrix is worth nothing if it does not notice. */
export const FAULTY_CASES: readonly MatrixCase[] = [
  ...casesOf('is left out', () => []),
  // Of two filters one answers anyway.
  ...casesOf('runs twice', (placement) => [placement, placement], ['guard', 'interceptor', 'pipe']),
  ...casesOf('is not constructed', ({ reference, ...rest }) => [
    { ...rest, reference: placeholderOf(reference) },
  ]),
];

function casesOf(
  title: string,
  change: (placement: Placement) => Placement[],
  kinds: readonly Kind[] = KINDS,
): MatrixCase[] {
  const faulty = (parts: HostParts): HostParts => ({
    ...parts,
    placements: parts.placements.flatMap(change),
  });
  const form: HostForm = {
    title,
    build: (id, createParts) => PLAIN.build(id, () => faulty(createParts())),
  };
  return kinds.map((kind) => ({ form, kind, level: 'method', scope: 'singleton' }));
}

/** What Nest has in the place of a scoped provider. */
function placeholderOf(reference: EnhancerReference): EnhancerReference {
  if (typeof reference !== 'function') return reference;
  return Object.create(reference.prototype as object) as EnhancerReference;
}
