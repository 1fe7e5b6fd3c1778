import { textOf, type AssistantMessage } from 'nestjs-agent-tools';
import { fieldsOf, listOf, type Fields } from '../values.js';

/**
 * LangChain sends the items of an answer of OpenAI's Responses back in place of the message. They are left
 * out if they no longer say what the message says: a call may have got another id, or was dropped.
 */
export function encodeResponse(response: Fields, message: AssistantMessage): Fields {
  const { output, ...others } = response;
  if (!Array.isArray(output)) return others;
  const calls: unknown[] = [];
  let said = '';
  for (const item of output.map(fieldsOf)) {
    if (item.type === 'function_call') calls.push(item.call_id);
    for (const { text, refusal } of listOf(item.type === 'message' ? item.content : []).map(
      fieldsOf,
    )) {
      said += typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : '';
    }
  }
  const ids = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
  const isSame = textOf(message) === said && JSON.stringify(ids) === JSON.stringify(calls);
  return isSame ? response : others;
}
