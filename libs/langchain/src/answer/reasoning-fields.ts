/** Where a message keeps its reasoning, if not in its content: DeepSeek, xAI, Ollama; Groq. */
export const REASONING_FIELDS: readonly string[] = ['reasoning_content', 'reasoning'];
