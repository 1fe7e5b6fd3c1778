import { generateText, isStepCount, streamText, tool } from 'ai';
import {
  ANSWER,
  ARGUMENTS,
  createInputSchema,
  createWork,
  DESCRIPTION,
  PROMPT,
  TOOL_NAME,
} from '../fixtures/order.mjs';
import { callIdsOf, turnOf } from '../fixtures/script.mjs';

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const STOP = { unified: 'stop', raw: 'stop' };
const TOOL_CALLS = { unified: 'tool-calls', raw: 'tool_calls' };

/** By hand, as the mock of `ai/test` keeps every request. */
function createModel(script) {
  return {
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const turn = turnOf(prompt.length, script, 2);
      if (turn === 0) {
        const content = [{ type: 'text', text: ANSWER }];
        return { content, finishReason: STOP, usage: USAGE, warnings: [] };
      }
      const content = callIdsOf(turn, script).map((toolCallId) => ({
        type: 'tool-call',
        toolCallId,
        toolName: TOOL_NAME,
        input: ARGUMENTS,
      }));
      return { content, finishReason: TOOL_CALLS, usage: USAGE, warnings: [] };
    },
    async doStream() {
      let index = 0;
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'text-start', id: '1' });
        },
        pull(controller) {
          if (index++ < script.deltas) {
            controller.enqueue({ type: 'text-delta', id: '1', delta: 'word ' });
            return;
          }
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({ type: 'finish', finishReason: STOP, usage: USAGE });
          controller.close();
        },
      });
      return { stream };
    },
  };
}

export async function createRunner(script) {
  const work = createWork(script);
  const model = createModel(script);
  const tools = {
    [TOOL_NAME]: tool({
      description: DESCRIPTION,
      inputSchema: createInputSchema(),
      execute: (input) => work(input),
    }),
  };
  const stopWhen = isStepCount(5_000);
  return () => generateText({ model, tools, prompt: PROMPT, stopWhen });
}

export async function createReader(script) {
  const model = createModel(script);
  return async () => {
    let count = 0;
    for await (const _text of streamText({ model, prompt: PROMPT }).textStream) count++;
    return count;
  };
}
