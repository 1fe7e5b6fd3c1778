import { fieldsOf, isEmpty, textIn, type Fields } from '../values.js';

export interface ReadBlock {
  /** What the block becomes. */
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
  readonly type: string;
  readonly index?: unknown;
  /** What it has beside its text. */
  readonly extras: Fields;
}

/** Calls come beside the content, too, and only those there are read. */
const CALLS = new Set<unknown>([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'invalid_tool_call',
  'input_json_delta',
  'function_call',
  'functionCall',
]);

/** A block of content. One that only the provider understands has no text. */
export function readBlock(block: Fields): ReadBlock | undefined {
  const { type: given, index, ...fields } = block;
  if (CALLS.has(given) || 'functionCall' in block) return undefined;
  const type = textIn(given) ?? 'non_standard';
  switch (type) {
    case 'text':
    case 'text_delta':
    case 'output_text': {
      const { text, ...extras } = fields;
      return { kind: 'text', text: textIn(text) ?? '', type: 'text', index, extras };
    }
    case 'thinking':
    case 'reasoning': {
      const { [type]: text, ...extras } = fields;
      return { kind: 'reasoning', text: textIn(text) ?? '', type, index, extras };
    }
    case 'reasoning_content': {
      // Bedrock's.
      const { reasoningText, ...others } = fields;
      const { text, ...signed } = fieldsOf(reasoningText);
      const extras = isEmpty(signed) ? others : { ...others, reasoningText: signed };
      return { kind: 'reasoning', text: textIn(text) ?? '', type, index, extras };
    }
    case 'non_standard':
      return readNonStandard(fieldsOf(fields.value), index);
    default:
      return { kind: 'text', text: '', type, index, extras: fields };
  }
}

/**
 * In standard content a block that LangChain has no word for is wrapped; in streams so is the signature of
 * Anthropic's thinking, which belongs to the reasoning before it.
 */
function readNonStandard({ index: inner, ...value }: Fields, index: unknown = inner): ReadBlock {
  if (value.type === 'thinking') {
    const { type: _type, thinking, ...extras } = value;
    return { kind: 'reasoning', text: textIn(thinking) ?? '', type: 'reasoning', index, extras };
  }
  return { kind: 'text', text: '', type: 'non_standard', index, extras: { value } };
}
