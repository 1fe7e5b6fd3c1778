import { Agent, run, RunContext, setTracingDisabled, tool, Usage } from '@openai/agents';
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

const COUNTS = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };

// Traces would go over the network.
setTracingDisabled(true);

function createMessage(text) {
  const content = [{ type: 'output_text', text }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

function createModel(script) {
  return {
    async getResponse({ input }) {
      const turn = turnOf(input.length, script, 2 * (script.calls ?? 1));
      if (turn === 0) return { usage: new Usage(COUNTS), output: [createMessage(ANSWER)] };
      const output = callIdsOf(turn, script).map((callId) => ({
        type: 'function_call',
        callId,
        name: TOOL_NAME,
        status: 'completed',
        arguments: ARGUMENTS,
      }));
      return { usage: new Usage(COUNTS), output };
    },
    async *getStreamedResponse() {
      yield { type: 'response_started' };
      for (let index = 0; index < script.deltas; index++) {
        yield { type: 'output_text_delta', delta: 'word ' };
      }
      const output = [createMessage('word '.repeat(script.deltas))];
      yield { type: 'response_done', response: { id: 'resp_1', usage: COUNTS, output } };
    },
  };
}

function createTool(script) {
  const work = createWork(script);
  return tool({
    name: TOOL_NAME,
    description: DESCRIPTION,
    parameters: createInputSchema(),
    execute: (input) => work(input),
  });
}

function createAgent(script) {
  return new Agent({ name: 'bench', model: createModel(script), tools: [createTool(script)] });
}

export async function createRunner(script) {
  const agent = createAgent(script);
  return () => run(agent, PROMPT, { maxTurns: 5_000 });
}

export async function createCaller() {
  const { invoke } = createTool({});
  const context = new RunContext();
  return () => invoke(context, ARGUMENTS);
}

export async function createReader(script) {
  const agent = createAgent(script);
  return async () => {
    const result = await run(agent, PROMPT, { stream: true });
    let count = 0;
    for await (const _text of result.toTextStream()) count++;
    return count;
  };
}
