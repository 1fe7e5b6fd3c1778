import type { AgentEvent, AgentStream } from 'nestjs-agent-tools';

type EventType = AgentEvent['type'];
type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>;

/** Reads a stream to its end; a failure is kept beside the events. */
export async function readAll(
  stream: AgentStream,
): Promise<{ events: AgentEvent[]; error?: unknown }> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** Reads a stream up to the first event of a type, and leaves it there. */
export async function leaveAt(stream: AgentStream, type: EventType): Promise<void> {
  for await (const event of stream) if (event.type === type) return;
}

export function only<Type extends EventType>(
  events: readonly AgentEvent[],
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The text of a run as its observer sees it. */
export function streamedText(events: readonly AgentEvent[]): string {
  return only(events, 'text-delta')
    .map(({ text }) => text)
    .join('');
}
