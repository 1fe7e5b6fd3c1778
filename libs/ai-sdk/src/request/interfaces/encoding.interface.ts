import type { AiSdkSpecification } from '../../interfaces/ai-sdk-language-model.interface.js';

/** What the form of a prompt depends on. */
export interface PromptEncoding {
  /** Named first in every error. */
  readonly label: string;
  readonly specification: AiSdkSpecification;
  readonly provider: string;
  /** Where images of tool results go. */
  readonly toolImages: 'result' | 'user';
  /** Of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
}
