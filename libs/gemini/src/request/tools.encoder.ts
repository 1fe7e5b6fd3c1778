import type { ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { GEMINI_SCHEMAS } from '../profile/tool-schemas.js';

/** The fields for tools and the choice among them. */
export function encodeTools(
  tools: readonly ChatTool[],
  choice: ToolChoice | undefined,
): Record<string, unknown> {
  const config = encodeChoice(choice, tools);
  return {
    tools: [{ functionDeclarations: tools.map(encodeTool) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function encodeTool({ name, description, inputSchema }: ChatTool): object {
  const { schema } = GEMINI_SCHEMAS.plain(inputSchema);
  return { name, description, parametersJsonSchema: schema };
}

function encodeChoice(
  choice: ToolChoice | undefined,
  tools: readonly ChatTool[],
): object | undefined {
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'required') return { mode: 'ANY' };
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.tool] };
  if (isValidated(tools)) return { mode: 'VALIDATED' };
  return choice && { mode: 'AUTO' };
}

/** The mode holds for all tools at once: one that wants it is enough, unless another refuses it. */
function isValidated(tools: readonly ChatTool[]): boolean {
  return (
    tools.every(({ strict }) => strict !== false) &&
    tools.some(({ strict, inputSchema }) => strict && GEMINI_SCHEMAS.strict?.(inputSchema).strict)
  );
}
