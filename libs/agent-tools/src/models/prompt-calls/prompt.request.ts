import type { ChatMessage } from '../interfaces/chat-message.interface.js';
import type { ChatRequest } from '../interfaces/chat-model.interface.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';
import { rewriteHistory } from './history.rewriter.js';
import { describeTools } from './tool.prompt.js';

/** The request as a model gets it that knows nothing of calls. The given one is not touched. */
export function toPromptRequest(request: ChatRequest): ChatRequest {
  const { messages, tools = [], toolChoice, settings, ...rest } = request;
  const history = rewriteHistory(messages);
  const told =
    tools.length > 0
      ? withPrompt(history, describeTools(tools, toolChoice, settings?.parallelToolCalls))
      : history;
  return { ...rest, messages: told, ...(settings && { settings: withoutParallel(settings) }) };
}

/** Many such models take one system message, and only as the first one. */
function withPrompt(messages: readonly ChatMessage[], prompt: string): ChatMessage[] {
  const instructions: string[] = [];
  let start = 0;
  for (const message of messages) {
    if (message.role !== 'system') break;
    if (message.content !== '') instructions.push(message.content);
    start++;
  }
  const content = [...instructions, prompt].join('\n\n');
  return [{ role: 'system', content }, ...messages.slice(start)];
}

/** Servers refuse the setting in a request without tools. */
function withoutParallel(settings: ChatSettings): ChatSettings {
  const { parallelToolCalls: _parallel, ...rest } = settings;
  return rest;
}
