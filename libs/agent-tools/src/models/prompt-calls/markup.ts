/** What a model writes around its calls, and what it must not write: results. */
export const CALL_TAG = '<tool_call>';
export const CALL_END = '</tool_call>';
export const RESPONSE_TAG = '<tool_response>';
export const RESPONSE_END = '</tool_response>';
export const FENCE = '```';

/** The words of the ReAct form, each at the begin of a line. */
export const THOUGHT = 'Thought:';
export const ACTION = 'Action:';
export const ACTION_INPUT = 'Action Input:';
export const OBSERVATION = 'Observation:';
export const FINAL_ANSWER = 'Final Answer:';

export const LABELS: readonly string[] = [THOUGHT, ACTION, FINAL_ANSWER, OBSERVATION];

const BLANK = new Set([' ', '\n', '\t', '\r']);

export function isBlank(character: string): boolean {
  return BLANK.has(character);
}
