import { ChatStreamAssembler } from 'nestjs-agent-tools';
import type {
  AssistantPart,
  ChatDelta,
  ChatRequest,
  ChatResponse,
  ToolCallPart,
} from 'nestjs-agent-tools';
import { checkTurn } from '../checks/check-turn.js';
import type { PlayedTurn } from '../interfaces/played-turn.interface.js';
import type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedTurn,
} from '../interfaces/scripted-turn.interface.js';

/** Turns what a test wrote into a whole answer and into the pieces of a stream. */
export class TurnPlayer {
  private callCount = 0;

  /**
   * @param place What the turn is, for errors: `turn at index 0 of scripted()`.
   * @throws TypeError if it is none
   */
  play(turn: ScriptedTurn, request: ChatRequest, place: string): PlayedTurn {
    checkTurn(place, turn);
    if (typeof turn === 'function') {
      return this.play(turn(request), request, `result of the ${place}`);
    }
    if (typeof turn === 'string') return this.answer({ text: turn });
    if (isCalls(turn)) return this.answer({ calls: turn });
    if ('tool' in turn) return this.answer({ calls: [turn] });
    if ('error' in turn) throw turn.error;
    return this.answer(turn);
  }

  private answer(answer: ScriptedAnswer): PlayedTurn {
    const { deltas } = answer;
    const isInDeltas = deltas && !answer.content && !answer.calls && answer.text === undefined;
    if (isInDeltas) return { deltas, response: () => assemble(deltas) };
    const content = answer.content ?? this.contentOf(answer);
    const hasCalls = content.some((part) => part.type === 'tool-call');
    const finishReason = answer.finishReason ?? (hasCalls ? 'tool-calls' : 'stop');
    const { usage } = answer;
    return {
      response: () => ({ content, finishReason, usage }),
      deltas: deltas ?? [
        ...content.flatMap(toDeltas),
        ...(usage ? [{ type: 'usage', usage } as const] : []),
        { type: 'finish', reason: finishReason },
      ],
    };
  }

  private contentOf({ text, calls = [] }: ScriptedAnswer): AssistantPart[] {
    const parts: AssistantPart[] = text === undefined ? [] : [{ type: 'text', text }];
    return [...parts, ...calls.map((call) => this.callPart(call))];
  }

  private callPart({ tool, id, arguments: args = {} }: ScriptedCall): ToolCallPart {
    return {
      type: 'tool-call',
      id: id ?? `call_${++this.callCount}`,
      name: tool,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    };
  }
}

function isCalls(turn: ScriptedTurn): turn is readonly ScriptedCall[] {
  return Array.isArray(turn);
}

function assemble(deltas: readonly ChatDelta[]): ChatResponse {
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}

/** Text comes word by word, as from a real model. */
function toDeltas(part: AssistantPart, index: number): ChatDelta[] {
  const { type, providerMetadata } = part;
  if (type === 'tool-call') {
    const { id, name, arguments: text } = part;
    return [{ type, index, id, name, arguments: text, providerMetadata }];
  }
  const words = part.text.match(/\S+\s*|\s+/g) ?? [];
  const deltas = words.map((text) => ({ type, text }));
  return providerMetadata ? [...deltas, { type, text: '', providerMetadata }] : deltas;
}
