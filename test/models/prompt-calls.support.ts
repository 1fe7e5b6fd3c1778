import { expect } from '@jest/globals';
import {
  ChatStreamAssembler,
  type AssistantPart,
  type ChatDelta,
  type ChatModel,
  type ChatRequest,
  type ChatResponse,
  type ChatTool,
  type FinishReason,
} from 'nestjs-agent-tools';
import { withToolCalling } from '../../libs/agent-tools/src/models/prompt-calls/with-tool-calling.js';
import { generating, streaming, text } from '../loop/support/models.js';

export const tool = (name: string): ChatTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
});

export const REQUEST: ChatRequest = {
  messages: [{ role: 'user', content: 'Hi.' }],
  tools: [tool('find'), tool('now')],
};

export const CALL = '{"name": "find", "arguments": {"q": "x"}}';
export const BLOCK = `<tool_call>\n${CALL}\n</tool_call>`;
export const ARGS = '{"q": "x"}';

export const prompted = (model: ChatModel): ChatModel =>
  withToolCalling(model, { toolCalling: 'prompt' });

/** Ids are made up, so they cannot be compared. */
export function plain({ content, ...rest }: ChatResponse): ChatResponse {
  return {
    content: content.map((part) => (part.type === 'tool-call' ? { ...part, id: '' } : part)),
    ...rest,
  };
}

export const found = (args = ARGS, name = 'find'): AssistantPart => ({
  type: 'tool-call',
  id: '',
  name,
  arguments: args,
});

export const said = (written: string): AssistantPart => ({ type: 'text', text: written });
export const thought = (written: string): AssistantPart => ({ type: 'reasoning', text: written });

export function inPieces(written: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < written.length; at += length) pieces.push(written.slice(at, at + length));
  return pieces;
}

export async function generated(
  written: string,
  finishReason: FinishReason = 'stop',
  request = REQUEST,
): Promise<ChatResponse> {
  const model = generating(async () => ({ content: [said(written)], finishReason }));
  return withoutPart(plain(await prompted(model).generate(request, {})));
}

export async function streamed(
  pieces: readonly string[],
  reason: FinishReason = 'stop',
  request = REQUEST,
): Promise<ChatResponse> {
  const inner = streaming(async function* () {
    yield* pieces.map(text);
    yield { type: 'finish', reason };
  });
  const assembler = new ChatStreamAssembler();
  for await (const delta of prompted(inner).stream(request, {})) assembler.push(delta);
  return plain(assembler.finish());
}

export async function deltasOf(model: ChatModel, request = REQUEST): Promise<ChatDelta[]> {
  const seen: ChatDelta[] = [];
  for await (const delta of prompted(model).stream(request, {})) seen.push(delta);
  return seen;
}

/** Generated and streamed, cut at every place and in pieces of several lengths. */
export async function read(
  written: string,
  reason: FinishReason = 'stop',
  request = REQUEST,
): Promise<ChatResponse> {
  const response = await generated(written, reason, request);
  for (const length of [1, 2, 3, 7, Math.max(written.length, 1)]) {
    expect(await streamed(inPieces(written, length), reason, request)).toEqual(response);
  }
  for (let at = 1; at < written.length; at++) {
    const pieces = [written.slice(0, at), written.slice(at)];
    expect({ at, ...(await streamed(pieces, reason, request)) }).toEqual({ at, ...response });
  }
  return response;
}

/** What is shown before the model has finished, piece by piece. */
export async function shownAfter(...pieces: string[]): Promise<string[]> {
  const shown: string[] = [];
  let now = '';
  const inner = streaming(async function* () {
    for (const piece of pieces) {
      yield text(piece);
      shown.push(now);
    }
    yield { type: 'finish', reason: 'stop' };
  });
  for await (const delta of prompted(inner).stream(REQUEST, {})) {
    if (delta.type === 'text') now += delta.text;
    if (delta.type === 'reasoning') now += `(${delta.text})`;
  }
  return shown;
}

function withoutPart(response: ChatResponse): ChatResponse {
  return { ...response, content: response.content.filter((part) => !isEmpty(part)) };
}

const isEmpty = (part: AssistantPart) => part.type === 'text' && part.text === '';
