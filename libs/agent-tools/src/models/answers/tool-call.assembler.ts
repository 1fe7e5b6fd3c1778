import { randomUUID } from 'node:crypto';
import type { ToolCallPart } from '../interfaces/chat-message.interface.js';
import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { MetadataAccumulator } from './metadata.accumulator.js';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

interface OpenCall {
  id?: string;
  name?: string;
  index?: number;
  arguments: string;
  /** The call that had this place before. */
  readonly displaced?: OpenCall;
  readonly metadata: MetadataAccumulator;
}

type NamedCall = OpenCall & { readonly name: string };

/** Stands for arguments that did not all arrive: no JSON, so the model is told to call again. */
const LOST = 'Parts of the arguments were lost in the stream.';

/**
 * Puts the pieces of streamed tool calls together. Servers disagree on nearly everything here:
 * ids and indexes may be missing, empty, reused or late, and names late or repeated.
 */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];
  private readonly byId = new Map<string, OpenCall>();
  private readonly byIndex = new Map<number, OpenCall>();
  private readonly unindexed = new Set<OpenCall>();

  push(delta: ToolCallDelta): void {
    if (!delta.id && !delta.name && !delta.arguments) {
      if (delta.providerMetadata) this.match(delta)?.metadata.add(delta.providerMetadata);
      return;
    }
    const match = this.match(delta);
    const call = match && !startsAnother(match, delta) ? match : this.open(delta);
    if (delta.name && delta.name !== call.name) call.name = (call.name ?? '') + delta.name;
    if (delta.arguments) {
      // An empty object that stood for arguments which were still to come.
      if (delta.id && delta.name && isEmptyObject(call.arguments)) call.arguments = '';
      call.arguments += delta.arguments;
    }
    call.metadata.add(delta.providerMetadata);
    this.adopt(call, delta);
  }

  /** The finished calls in the order in which they began, each with an id of its own. */
  finish(): ToolCallPart[] {
    const ids = new Set<string>();
    return this.named().map((call) => {
      if (!call.id || ids.has(call.id)) call.id = `call_${randomUUID().replaceAll('-', '')}`;
      ids.add(call.id);
      const providerMetadata = call.metadata.value();
      return {
        type: 'tool-call',
        id: call.id,
        name: call.name,
        arguments: call.arguments.trim() === '' ? '{}' : call.arguments,
        ...(providerMetadata && { providerMetadata }),
      };
    });
  }

  private match({ id, index, name }: ToolCallDelta): OpenCall | undefined {
    const latest = this.calls.at(-1);
    const atIndex = index === undefined ? latest : this.byIndex.get(index);
    if (id) {
      // An id may also come after the first piece of its call.
      return this.byId.get(id) ?? (atIndex?.id ? undefined : atIndex);
    }
    // An index, too: then the pieces before it had none.
    return atIndex ?? (name ? undefined : this.withoutIndex(index));
  }

  /** The call that an index may mean if calls have none: by its place, if they count from 0, or the only one. */
  private withoutIndex(index = -1): OpenCall | undefined {
    const atPlace = this.calls[index];
    const isCounted = index === 0 || this.byIndex.has(index - 1);
    if (atPlace && isCounted && this.unindexed.has(atPlace)) return atPlace;
    const [only] = this.unindexed;
    return this.unindexed.size === 1 ? only : undefined;
  }

  private open({ index }: ToolCallDelta): OpenCall {
    const displaced = index === undefined ? this.calls.at(-1) : this.byIndex.get(index);
    const call: OpenCall = { arguments: '', displaced, metadata: new MetadataAccumulator() };
    this.calls.push(call);
    return call;
  }

  private adopt(call: OpenCall, { id, index }: ToolCallDelta): void {
    if (id && !call.id) call.id = id;
    if (id) this.byId.set(id, call);
    if (index === undefined) {
      if (call.index === undefined) this.unindexed.add(call);
      return;
    }
    this.unindexed.delete(call);
    call.index ??= index;
    this.byIndex.set(index, call);
  }

  /**
   * Without a name a call cannot run. Its arguments belong to the call whose place it took, if
   * there is one: some servers send a new id with every piece.
   */
  private named(): NamedCall[] {
    let lost = '';
    for (const call of this.calls.toReversed()) {
      if (call.name) continue;
      if (call.displaced) call.displaced.arguments += call.arguments;
      else lost = call.arguments + lost;
      call.arguments = '';
    }
    const named = this.calls.filter((call): call is NamedCall => call.name !== undefined);
    if (lost.trim() !== '') assignLost(named, lost);
    return named;
  }
}

/**
 * Arguments whose call cannot be told belong to the only one that lacks some. Among several, none may run
 * with less than the model gave it.
 */
function assignLost(calls: readonly NamedCall[], lost: string): void {
  const lacking = calls.filter((call) => isBlank(call.arguments) || !isObject(call.arguments));
  if (lacking.length === 1) {
    const [call] = lacking;
    call.arguments = isBlank(call.arguments) ? lost : call.arguments + lost;
    return;
  }
  for (const call of lacking) call.arguments = LOST;
}

/** Some servers begin with an empty object. */
function isBlank(json: string): boolean {
  return json.trim() === '' || isEmptyObject(json);
}

function isEmptyObject(json: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(json);
}

/** Whether a piece that matches a call by its id, index or position is the begin of another call. */
function startsAnother(
  call: OpenCall,
  { id, index, name, arguments: json }: ToolCallDelta,
): boolean {
  if (id && call.id === id && index !== undefined && call.index !== undefined) {
    if (index !== call.index) return true;
  }
  if (!name || !call.name) return false;
  const isSame = id ? call.id === id : index !== undefined && call.index === index;
  if (name === call.name) {
    // A repeated name alone is the same call; a second object after a whole one is not.
    if (id && isSame && isEmptyObject(call.arguments)) return false;
    return json?.trimStart().startsWith('{') === true && isObject(call.arguments);
  }
  // Another name where the id or the index says that it is the same call goes on with it: a call of the last
  // piece alone would be one of another tool. With arguments and no id it is a whole call.
  return !isSame || call.arguments !== '' || (!id && Boolean(json?.trim()));
}

function isObject(json: string): boolean {
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
