import type { ChatMessage, ChatRequest, ChatTool } from 'nestjs-agent-tools';
import type { ModelTraits } from '../profile/model-traits.js';

/** Whether there are to be no calls, and the model cannot be told: it would make some all the same. */
export function isSilenced({ toolChoice }: ChatRequest, { takesNone }: ModelTraits): boolean {
  return toolChoice === 'none' && !takesNone;
}

/**
 * The tools that the model is told of. Its server may refuse calls in the history without their tools, so
 * then they are told, and calls are left out of the answer.
 */
export function toolsToBind(request: ChatRequest, traits: ModelTraits): readonly ChatTool[] {
  const { tools = [], messages } = request;
  return !isSilenced(request, traits) || messages.some(isOfTools) ? tools : [];
}

function isOfTools({ role, content }: ChatMessage): boolean {
  if (role !== 'assistant') return role === 'tool';
  return content.some(({ type }) => type === 'tool-call');
}
