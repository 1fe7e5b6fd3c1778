export const PROMPT = 'Tell me a story.';
