import type { ChatDelta } from 'nestjs-agent-tools';
import { fieldsOf, isEmpty, toPlain, type Fields } from '../values.js';
import { readBlock, type ReadBlock } from './content-block.reader.js';
import { mergeFields } from './merge-fields.js';

interface OpenBlock {
  readonly kind: ReadBlock['kind'];
  readonly type: string;
  readonly index: unknown;
  extras: Fields;
}

/**
 * The content of a message or of its chunks: texts, reasoning, and blocks that only the provider
 * understands. What a block has beside its text is given when it ends, while its part is the last one.
 */
export class ContentDecoder {
  private open?: OpenBlock;
  private last: ReadBlock['kind'] = 'text';
  private parts = 0;

  constructor(private readonly metadataKey: string) {}

  /** @param whole Whether each block is one of its own, and not a piece. */
  decode(content: unknown, whole: boolean): ChatDelta[] {
    if (typeof content === 'string') return this.text(content);
    if (!Array.isArray(content)) return [];
    return content.flatMap((item: unknown) => {
      if (typeof item === 'string') return this.text(item);
      const fields = fieldsOf(item);
      const block = readBlock(fields);
      if (block) return this.push(block, whole);
      this.continue(fields);
      return [];
    });
  }

  text(text: string): ChatDelta[] {
    return text ? this.push({ kind: 'text', text, type: 'text', extras: {} }, false) : [];
  }

  /** Reasoning that a message has in a field beside its content. */
  reasoning(text: string, field: string): ChatDelta[] {
    const isNew = this.open?.type !== `field ${field}`;
    const block = { kind: 'reasoning', text, type: `field ${field}`, extras: {} } as const;
    const deltas = this.push(block, false);
    return isNew ? [...deltas, this.metadata('reasoning', { field })] : deltas;
  }

  /** Ends the open block. */
  end(): ChatDelta[] {
    const { open } = this;
    this.open = undefined;
    if (!open) return [];
    const { kind, type, extras } = open;
    const isPlain = (type === 'text' && isEmpty(extras)) || type.startsWith('field ');
    const block = isPlain ? undefined : toPlain({ ...extras, type });
    return block ? [this.metadata(kind, { block })] : [];
  }

  /** Puts what belongs to the whole message to its last part. */
  attach(values: Fields): ChatDelta {
    return this.metadata(this.last, values);
  }

  private push(block: ReadBlock, whole: boolean): ChatDelta[] {
    const { kind, type, index, text, extras } = block;
    const { open } = this;
    const before: ChatDelta[] = [];
    if (open && !whole && isSame(open, block)) {
      open.extras = mergeFields(open.extras, extras);
    } else {
      before.push(...this.end());
      this.parts++;
      this.last = kind;
      this.open = { kind, type, index, extras: mergeFields({}, extras) };
    }
    if (text) before.push({ type: kind, text, part: this.parts });
    return before;
  }

  /** The arguments of a call that the provider runs itself come in pieces like those of ours. */
  private continue({ type, index, input }: Fields): void {
    const { open } = this;
    if (type === 'input_json_delta' && index !== undefined && open?.index === index) {
      open.extras = mergeFields(open.extras, { input });
    }
  }

  private metadata(type: ReadBlock['kind'], values: Fields): ChatDelta {
    const providerMetadata = { [this.metadataKey]: values };
    return { type, text: '', part: this.parts, providerMetadata };
  }
}

/** Blocks without an index that have no text are whole. */
function isSame(open: OpenBlock, { kind, type, index }: ReadBlock): boolean {
  const isText = kind === 'reasoning' || type === 'text';
  return open.type === type && open.index === index && (index !== undefined || isText);
}
