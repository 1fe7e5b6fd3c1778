import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';
import type { ChatTool, ToolChoice } from '../interfaces/chat-model.interface.js';
import { CALL_END, CALL_TAG, RESPONSE_TAG } from './markup.js';

const HOW_TO_CALL = `# Tools

You can call the tools below. To call one, write a block of this form and end your answer there:

${CALL_TAG}
{"name": "name of the tool", "arguments": {"name of an argument": "its value"}}
${CALL_END}

\`arguments\` is a JSON object that fits the schema of the tool. You then get the result in a ${RESPONSE_TAG} block; never write such a block yourself. If no tool is needed, answer in plain text.`;

const SEVERAL =
  'For several calls at once, write several blocks. Their results come in the same order.';
const ONE = 'Call one tool at a time: never write more than one block.';

/** The schemas of an application live as long as it does, and are the same in every request. */
const RENDERED = new WeakMap<ObjectJsonSchema, string>();

/** What a model is told about its tools: how to call them, which there are, and whether it must. */
export function describeTools(
  tools: readonly ChatTool[],
  toolChoice: ToolChoice = 'auto',
  parallelToolCalls = true,
): string {
  const sections = [HOW_TO_CALL, parallelToolCalls ? SEVERAL : ONE];
  for (const tool of tools) sections.push(describeTool(tool));
  const demand = describeChoice(toolChoice);
  if (demand) sections.push(demand);
  return sections.join('\n\n');
}

function describeTool({ name, description, inputSchema }: ChatTool): string {
  const lines = [`## ${name}`];
  if (description !== '') lines.push(description);
  lines.push(`Schema of the arguments: ${render(inputSchema)}`);
  return lines.join('\n');
}

function render(schema: ObjectJsonSchema): string {
  let text = RENDERED.get(schema);
  if (text === undefined) {
    text = JSON.stringify(schema);
    RENDERED.set(schema, text);
  }
  return text;
}

function describeChoice(choice: ToolChoice): string | undefined {
  switch (choice) {
    case 'auto':
      return undefined;
    case 'none':
      return '# Now\n\nNo tool may be called now. Answer in plain text with what you know.';
    case 'required':
      return '# Now\n\nYou must call a tool now. Do not answer yet.';
    default:
      return `# Now\n\nYou must call the tool "${choice.tool}" now. Do not answer yet.`;
  }
}
