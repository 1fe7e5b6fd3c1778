import { fieldsOf, isEmpty, listOf, toPlain, type Fields } from '../values.js';
import { REASONING_FIELDS } from './reasoning-fields.js';

/** What is read elsewhere, says nothing on replay, or describes the answer only. */
const KNOWN = new Set([
  'tool_calls',
  'function_call',
  'refusal',
  'parsed',
  'reasoning_content',
  'finish_reason',
  'finishReason',
  'index',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
  'model',
  'role',
  'type',
  'id',
  '__raw_response',
]);
/** What the items of an answer of OpenAI's Responses hold as well. */
const IN_OUTPUT = new Set(['reasoning', 'tool_outputs', '__openai_function_call_ids__']);

interface Concatenable {
  concat(other: unknown): unknown;
}

/** What a provider's package wants back with a message as a whole. */
export class MessageMetadataDecoder {
  /** The chunks with such values, put together by LangChain's own rules. */
  private message?: unknown;
  private response: Fields = {};

  push(message: Fields): void {
    const { model_provider, output_version, output } = fieldsOf(message.response_metadata);
    if (output_version !== undefined) this.response = { ...this.response, output_version };
    if (model_provider !== undefined && model_provider !== this.response.model_provider) {
      this.response = { ...this.response, model_provider };
    }
    if (hasCalls(output)) this.response = { ...this.response, output };
    if (Object.entries(fieldsOf(message.additional_kwargs)).some(isOpaque)) {
      this.message = isConcatenable(this.message) ? this.message.concat(message) : message;
    }
  }

  /** `undefined` if the message can be sent back without. */
  end(): Fields | undefined {
    const { output, output_version: version } = this.response;
    const kwargs = Object.entries(fieldsOf(fieldsOf(this.message).additional_kwargs))
      .filter(isOpaque)
      .filter(([name]) => output === undefined || !IN_OUTPUT.has(name));
    // The provider's name alone says nothing that the model does not know.
    const isNeeded = output !== undefined || version === 'v1';
    const metadata = {
      ...(kwargs.length > 0 && { additional_kwargs: Object.fromEntries(kwargs) }),
      ...(isNeeded && { response_metadata: this.response }),
    };
    return isEmpty(metadata) ? undefined : toPlain(metadata);
  }
}

function isOpaque([name, value]: readonly [string, unknown]): boolean {
  if (KNOWN.has(name) || isEmpty(value)) return false;
  return typeof value !== 'string' || !REASONING_FIELDS.includes(name);
}

/** Of an answer of messages only nothing is lost without its items. */
function hasCalls(output: unknown): boolean {
  return listOf(output).some((item) => fieldsOf(item).type !== 'message');
}

function isConcatenable(message: unknown): message is Concatenable {
  return typeof fieldsOf(message).concat === 'function';
}
