import type { ChatTool, ToolSchemaDialects } from 'nestjs-agent-tools';
import type { WireFields, WireTurn } from './interfaces/wire-request.interface.js';
import type { StrictLimits } from './strict-limits.js';

/**
 * Tools as they are sent. What goes beyond the limits of strict tools is sent without `strict`, in their
 * order, so that the same tools always give the same.
 *
 * @param onRelaxed told the names of those tools
 */
export function encodeTools(
  tools: readonly ChatTool[],
  { plain, strict: strictDialect }: ToolSchemaDialects,
  limits: StrictLimits,
  onRelaxed?: (names: readonly string[]) => void,
): WireFields[] {
  const relaxed: string[] = [];
  const encoded = tools.map(({ name, description, inputSchema, strict }) => {
    const converted = strict ? strictDialect?.(inputSchema) : undefined;
    if (converted?.strict) {
      const { schema } = converted;
      if (limits.admit(schema)) return { name, description, input_schema: schema, strict: true };
      relaxed.push(name);
    }
    return { name, description, input_schema: plain(inputSchema).schema };
  });
  if (relaxed.length > 0) onRelaxed?.(relaxed);
  return encoded;
}

/**
 * Anthropic refuses calls in a conversation without tools, so those that it tells of are listed, with
 * nothing but their names.
 */
export function toolsOfHistory(turns: readonly WireTurn[]): WireFields[] {
  const names = new Set<unknown>();
  for (const { content } of turns) {
    for (const { type, name } of content) if (type === 'tool_use') names.add(name);
  }
  return [...names].map((name) => ({
    name,
    description: 'Cannot be called any more.',
    input_schema: { type: 'object', properties: {} },
  }));
}
