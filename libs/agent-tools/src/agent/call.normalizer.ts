import { randomUUID } from 'node:crypto';
import { INVALID_JSON_FIELD } from '../agent-tools.constants.js';
import { parseArguments, type ParsedArguments } from '../arguments/parse-arguments.js';
import type { BoundTool } from '../execution/bound-tool.js';
import { isMeaningful } from '../models/history/assistant-content.js';
import type { ToolCallRequest } from '../execution/interfaces/tool-call-request.interface.js';
import { toChatToolName } from '../tools/chat-tool-name.js';
import { isRecord } from '../utils/is-record.js';
import type { AssistantPart, ToolCallPart } from '../models/interfaces/chat-message.interface.js';
import type { FinishReason } from '../models/interfaces/chat-model.interface.js';

/** The turn of a model as it is stored, and the calls as they are run. */
export interface NormalizedTurn {
  readonly content: readonly AssistantPart[];
  readonly calls: readonly ToolCallPart[];
  readonly requests: readonly ToolCallRequest[];
}

interface ParallelUse {
  readonly recipient_name?: unknown;
  readonly parameters?: unknown;
}

/** What providers give is shorter and plainer; what they do not take back is replaced. */
const CALL_ID_PATTERN = /^[\x21-\x7e]{1,256}$/;

/** Names under which some models put several calls into one. */
const PARALLEL_WRAPPERS = new Set([
  'parallel',
  'multi_tool_use.parallel',
  'multi_tool_use_parallel',
]);

/**
 * Makes the calls of a turn fit to be run and to be sent back: each with an id of its own within the
 * run, a name that providers accept, arguments that are JSON of an object; calls after text and
 * reasoning, where some providers insist on them.
 */
export class CallNormalizer {
  private readonly usedIds: Set<string>;

  constructor(
    private readonly tools: ReadonlyMap<string, BoundTool>,
    idsInHistory: Iterable<string>,
  ) {
    this.usedIds = new Set(idsInHistory);
  }

  normalize(content: readonly AssistantPart[], reason: FinishReason): NormalizedTurn {
    const calls: ToolCallPart[] = [];
    const requests: ToolCallRequest[] = [];
    const others: AssistantPart[] = [];
    for (const part of content) {
      if (part.type !== 'tool-call') {
        if (isMeaningful(part)) others.push(part);
        continue;
      }
      // As in a stream, where a piece without a name is the leftover of no call.
      if (part.name) this.addCall(part, reason === 'length', calls, requests);
    }
    return { content: [...others, ...calls], calls, requests };
  }

  private addCall(
    part: ToolCallPart,
    isCutOff: boolean,
    calls: ToolCallPart[],
    requests: ToolCallRequest[],
  ): void {
    const tool = this.tools.get(part.name);
    const parsed =
      tool?.arguments.read(part.arguments, isCutOff) ?? parseArguments(part.arguments, isCutOff);
    const inner = this.unwrapParallel(part, parsed);
    if (inner) {
      for (const call of inner) this.addCall(call, isCutOff, calls, requests);
      return;
    }
    const id = this.uniqueId(part.id);
    calls.push({
      ...part,
      id,
      // An invented name stays in the history, where an illegal one would break every later request.
      name: toChatToolName(part.name),
      arguments: storableArguments(part.arguments, parsed),
    });
    requests.push({
      id,
      name: tool?.definition.name ?? part.name,
      raw: part.arguments,
      arguments: parsed,
    });
  }

  private uniqueId(id: string): string {
    const isUsable = CALL_ID_PATTERN.test(id) && !this.usedIds.has(id);
    const unique = isUsable ? id : `call_${randomUUID()}`;
    this.usedIds.add(unique);
    return unique;
  }

  /** Only if every inner call names a tool that exists; anything else is an unknown tool. */
  private unwrapParallel(
    { name, providerMetadata }: ToolCallPart,
    parsed: ParsedArguments,
  ): ToolCallPart[] | undefined {
    if (!PARALLEL_WRAPPERS.has(name) || this.tools.has(name) || 'problem' in parsed)
      return undefined;
    const uses = parsed.input.tool_uses;
    if (!Array.isArray(uses) || uses.length === 0) return undefined;
    if (!uses.every(isParallelUse)) return undefined;
    const calls = uses.map((use, index): ToolCallPart => ({
      type: 'tool-call',
      id: '',
      name: innerName(use),
      arguments: JSON.stringify(use.parameters ?? {}),
      ...(index === 0 && providerMetadata && { providerMetadata }),
    }));
    return calls.every((call) => this.tools.has(call.name)) ? calls : undefined;
  }
}

/** Under another key the arguments would be lost, and the tool run without them. */
function isParallelUse(use: unknown): use is ParallelUse {
  return (
    isRecord(use) &&
    Object.keys(use).every((key) => key === 'recipient_name' || key === 'parameters')
  );
}

function innerName({ recipient_name: name }: ParallelUse): string {
  return typeof name === 'string' ? name.replace(/^functions\./, '') : '';
}

/** Some providers want an object when the call is sent back, and refuse the request for ever else. */
function storableArguments(raw: unknown, parsed: ParsedArguments): string {
  if (raw === undefined || raw === null || raw === '') return '{}';
  if ('problem' in parsed) return JSON.stringify({ [INVALID_JSON_FIELD]: String(raw) });
  if (parsed.isJson && typeof raw === 'string' && raw.trim() !== '') return raw;
  return JSON.stringify(parsed.input);
}
