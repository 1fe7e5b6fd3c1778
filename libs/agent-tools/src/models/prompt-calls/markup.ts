export * from '../text-calls/is-blank.js';
export * from '../text-calls/tags.js';

/** The words of the ReAct form, each at the begin of a line. */
export const THOUGHT = 'Thought:';
export const ACTION = 'Action:';
export const ACTION_INPUT = 'Action Input:';
export const OBSERVATION = 'Observation:';
export const FINAL_ANSWER = 'Final Answer:';

export const LABELS: readonly string[] = [THOUGHT, ACTION, FINAL_ANSWER, OBSERVATION];
