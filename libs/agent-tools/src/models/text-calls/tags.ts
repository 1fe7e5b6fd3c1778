/** What a model writes around its calls, and what it must not write: results. */
export const CALL_TAG = '<tool_call>';
export const CALL_END = '</tool_call>';
export const RESPONSE_TAG = '<tool_response>';
export const RESPONSE_END = '</tool_response>';
export const FENCE = '```';
