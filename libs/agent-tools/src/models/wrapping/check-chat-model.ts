import type { ChatModel } from '../interfaces/chat-model.interface.js';

/** What a model of another library looks like. */
interface Given {
  readonly name?: unknown;
  readonly generate?: unknown;
  readonly stream?: unknown;
  /** Of LangChain. */
  readonly _llmType?: unknown;
  /** Of the AI SDK. */
  readonly specificationVersion?: unknown;
}

/**
 * Without it, something else than a model would fail only when it is asked; and a model of LangChain has
 * `generate` and `stream`, too.
 *
 * @param place who was given it, for the error
 * @throws TypeError
 */
export function checkChatModel(model: ChatModel | null | undefined, place: string): void {
  const given: Given = model ?? {};
  const remedy = remedyFor(given);
  if (isModel(given) && remedy === undefined) return;
  const plain =
    'Give it one that a factory such as openai() makes, or an object with `name`, `generate` and `stream`.';
  throw new TypeError(
    `${place} was given ${describe(model)} in place of a chat model. ${remedy ?? plain}`,
  );
}

/** A middleware has the same methods, but no name. */
function isModel({ name, generate, stream }: Given): boolean {
  return typeof name === 'string' && typeof generate === 'function' && typeof stream === 'function';
}

function remedyFor(given: Given): string | undefined {
  if (typeof given === 'function') return 'Call the factory: offline(), openai({ model }).';
  if (typeof given._llmType === 'function') {
    return 'Wrap the model of LangChain: fromLangChain(model) of "nestjs-agent-tools/langchain".';
  }
  if (given.specificationVersion === undefined) return undefined;
  return 'Wrap the model of the AI SDK: fromAiSdk(model) of "nestjs-agent-tools/ai-sdk".';
}

function describe(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return value !== null && typeof value === 'object' ? 'another object' : String(value);
}
