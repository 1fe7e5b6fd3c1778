import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { createAgent, tool } from 'langchain';
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

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const RECURSION = { recursionLimit: 20_000 };

class FakeModel extends BaseChatModel {
  constructor(script) {
    super({});
    this.script = script;
  }

  _llmType() {
    return 'fake';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const { script } = this;
    const turn = turnOf(messages.length, script, 1 + (script.calls ?? 1));
    const message =
      turn === 0
        ? new AIMessage({ content: ANSWER, usage_metadata: USAGE })
        : new AIMessage({
            content: '',
            usage_metadata: USAGE,
            tool_calls: callIdsOf(turn, script).map((id) => ({
              id,
              name: TOOL_NAME,
              args: JSON.parse(ARGUMENTS),
              type: 'tool_call',
            })),
          });
    return { generations: [{ text: '', message }] };
  }
}

class StreamingModel extends FakeModel {
  async *_streamResponseChunks(_messages, _options, runManager) {
    for (let index = 0; index < this.script.deltas; index++) {
      const text = 'word ';
      const message = new AIMessageChunk({ content: text, id: 'msg_1' });
      const chunk = new ChatGenerationChunk({ text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
  }
}

function createTool(script) {
  const work = createWork(script);
  return tool((input) => work(input), {
    name: TOOL_NAME,
    description: DESCRIPTION,
    schema: createInputSchema(),
  });
}

const createInput = () => ({ messages: [{ role: 'user', content: PROMPT }] });

export async function createRunner(script) {
  const agent = createAgent({ model: new FakeModel(script), tools: [createTool(script)] });
  return () => agent.invoke(createInput(), RECURSION);
}

export async function createCaller() {
  const findOrder = createTool({});
  return () => findOrder.invoke(JSON.parse(ARGUMENTS));
}

export async function createReader(script) {
  const agent = createAgent({ model: new StreamingModel(script), tools: [createTool(script)] });
  return async () => {
    let count = 0;
    const stream = await agent.stream(createInput(), { streamMode: 'messages' });
    for await (const [chunk] of stream) if (chunk.content) count++;
    return count;
  };
}
