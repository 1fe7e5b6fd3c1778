import type { TextKind } from './output.item.js';

interface TextEvent {
  readonly item: 'message' | 'reasoning';
  readonly kind: TextKind;
  /** Whether it repeats what came in pieces. */
  readonly isWhole: boolean;
}

const NAMES = [
  ['response.output_text', 'message', 'text'],
  ['response.refusal', 'message', 'refusal'],
  ['response.reasoning_summary_text', 'reasoning', 'summary'],
  ['response.reasoning_text', 'reasoning', 'reasoning'],
] as const;

/** The events that hold text of an item. */
export const TEXT_EVENTS: ReadonlyMap<string, TextEvent> = new Map(
  NAMES.flatMap(([name, item, kind]): [string, TextEvent][] => [
    [`${name}.delta`, { item, kind, isWhole: false }],
    [`${name}.done`, { item, kind, isWhole: true }],
  ]),
);

/** The types of the parts of an item's content and summary. */
export const PART_KINDS: ReadonlyMap<unknown, TextKind> = new Map<unknown, TextKind>([
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
  ['summary_text', 'summary'],
  ['reasoning_text', 'reasoning'],
]);
