import type { ToolSchemaDialects } from 'nestjs-agent-tools';
import type { ProviderProfile } from 'nestjs-agent-tools/model-kit';

/**
 * The providers that `openai()` knows.
 *
 * @publicApi
 */
export type OpenAIProfileName =
  | 'openai'
  | 'azure'
  | 'groq'
  | 'mistral'
  | 'deepseek'
  | 'openrouter'
  | 'ollama'
  | 'vllm'
  | 'lmstudio'
  | 'together'
  | 'fireworks'
  | 'cerebras'
  | 'xai'
  | 'huggingface'
  | 'zai';

/**
 * How a server differs from the others that speak Chat Completions. Each flag stands for something that
 * servers were seen to do; what is left out is as most of them do it.
 *
 * @publicApi
 */
export interface OpenAIProfile extends ProviderProfile {
  /** Ports on which a server that runs locally listens if nobody changes it. @default none */
  readonly ports?: readonly number[];
  /**
   * The path of a base URL that is given without any: `/v1`. `''` adds none.
   *
   * @default that of the profile's `baseURL`
   */
  readonly basePath?: string;
  /** Azure takes keys in a header of its own. @default 'bearer' */
  readonly authorization?: 'bearer' | 'api-key';
  /** OpenAI's newer models refuse `max_tokens`, which all others know. @default 'max_tokens' */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Mistral has another name for it. @default 'seed' */
  readonly seedField?: 'seed' | 'random_seed';
  /**
   * `all`: as OpenAI. `modes`: no choice of one tool (LM Studio refuses it). `auto`: none at all (Ollama
   * and Z.ai leave it out of account); then `none` sends no tools, and the others are an error.
   *
   * @default 'all'
   */
  readonly toolChoices?: 'all' | 'modes' | 'auto';
  /** Mistral's word for "at least one call". @default 'required' */
  readonly requiredChoice?: 'required' | 'any';
  /**
   * The content of a message that has only calls. Gateways to Bedrock refuse an empty text, Ollama
   * refuses `null`.
   *
   * @default null
   */
  readonly emptyContent?: null | '';
  /**
   * The form of calls' ids. Mistral refuses all but nine letters and digits, OpenAI refuses longer ones
   * than 40 characters, also of a conversation that began elsewhere.
   *
   * @default 'any'
   */
  readonly callIds?: 'any' | 'at-most-40' | 'nine-alphanumeric';
  /** Where images of tool results go: most take only text in a tool message. @default 'user' */
  readonly toolImages?: 'user' | 'tool';
  /**
   * Sends the model's reasoning back with the calls that it led to: the name of the field (DeepSeek
   * refuses a message with calls without `reasoning_content`), or `content` for Mistral's list.
   * `reasoning_details`, as OpenRouter sends them, go back unchanged if there are any of this server.
   * Reasoning that another provider has signed or marked is not sent.
   *
   * @default false
   */
  readonly echoReasoning?: false | 'content' | (string & {});
  /**
   * How `reasoningEffort` is sent. `effort`: as `reasoning_effort`. `object`: in OpenRouter's
   * `reasoning`, which has a budget, too. `switch`: as `thinking`, which is on or off, with the effort
   * beside it.
   *
   * @default 'effort'
   */
  readonly reasoning?: 'effort' | 'object' | 'switch';
  /**
   * Whether the server takes the schema of a response format. Without, it is asked for any JSON object,
   * and the schema and its description are told to the model by a system message.
   *
   * @default true
   */
  readonly jsonSchema?: boolean;
  /** Whether a stream must be asked for its usage; Mistral sends it always. @default true */
  readonly streamOptions?: boolean;
  /** How the server takes the input schemas of tools. @default OpenAI's dialects */
  readonly toolSchemas?: ToolSchemaDialects;
}
