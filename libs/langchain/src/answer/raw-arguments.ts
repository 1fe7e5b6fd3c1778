import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, listOf, textIn, type Fields } from '../values.js';

/** The arguments of a call as the model wrote them. */
export interface RawArguments {
  readonly text: string;
  /** Which of the calls of its message it is. */
  readonly position: number;
}

interface RawCall extends RawArguments {
  /** `undefined` if the text is no JSON. */
  readonly value: unknown;
}

/**
 * What the calls of a message were before LangChain parsed them, as OpenAI's packages keep it. Servers
 * give several calls one id, or none, so they are told apart by their order as well.
 */
export class RawCalls {
  private readonly left = new Map<string, RawCall[]>();
  private count = 0;

  constructor(message: Fields) {
    for (const call of listOf(fieldsOf(message.additional_kwargs).tool_calls).map(fieldsOf)) {
      const { name, arguments: json } = fieldsOf(call.function);
      this.keep(call.id, name, json);
    }
    for (const item of listOf(fieldsOf(message.response_metadata).output).map(fieldsOf)) {
      if (item.type === 'function_call') this.keep(item.call_id, item.name, item.arguments);
    }
  }

  /** The next one of a call that LangChain could parse, if it says the same. */
  takeValid({ id, name, args }: Fields): RawArguments | undefined {
    const raw = this.left.get(keyOf(id, name, true))?.shift();
    return isDeepStrictEqual(raw?.value, args) ? raw : undefined;
  }

  /** The next one of a call that it could not. */
  takeInvalid({ id, name }: Fields): RawArguments | undefined {
    return this.left.get(keyOf(id, name, false))?.shift();
  }

  private keep(id: unknown, name: unknown, json: unknown): void {
    const position = this.count++;
    if (typeof json !== 'string') return;
    const value = parse(json);
    const key = keyOf(id, name, value !== undefined);
    const calls = this.left.get(key);
    const call = { text: json, position, value };
    if (calls) calls.push(call);
    else this.left.set(key, [call]);
  }
}

function keyOf(id: unknown, name: unknown, isValid: boolean): string {
  return JSON.stringify([textIn(id), textIn(name), isValid]);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
