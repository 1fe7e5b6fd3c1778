export * from './schemas/dialects/cached.dialect.js';
export * from './schemas/dialects/convert-input-schema.js';
export * from './schemas/dialects/unchanged.dialect.js';
export * from './models/requests/secret-patterns.js';
export { ModelCall, type ModelCallOptions } from './models/requests/model.call.js';
export { ModelExceptionFactory } from './models/requests/model-exception.factory.js';
export type * from './models/requests/interfaces/model-failure.interface.js';
export type { AnswerHeaders } from './models/requests/answer-headers.js';
export type { NamedValues } from './models/requests/secrets.js';
export { isNetworkError } from './models/requests/network-error.reader.js';
export { toSafeText } from './models/requests/safe-text.js';
export * from './models/settings/merge-settings.js';
export { checkSettings, type LackingSettings } from './models/settings/check-settings.js';
export * from './models/settings/check-options.js';
export { checkOptionNames } from './utils/check-option-names.js';
export { SETTING_NAMES } from './models/settings/setting-names.js';
export * from './models/settings/check-timeouts.js';
export * from './models/settings/admit-request.js';
export * from './models/once.logger.js';
export * from './models/answers/worse-finish.js';
export { addUsage, toTokenCount, toUsage, type TokenCounts } from './models/answers/usage.js';
export * from './models/history/call-name.js';
export * from './models/history/call-arguments.js';
export * from './models/history/result-content.js';
export { isRecord } from './utils/is-record.js';
export { isText } from './utils/is-text.js';
export { decodeAnswer } from './models/http/decode-answer.js';
export type * from './models/http/interfaces/http-chat-options.interface.js';
export type * from './models/http/interfaces/chat-decoder.interface.js';
export type * from './models/http/interfaces/chat-protocol.interface.js';
export type * from './models/http/interfaces/chat-target.interface.js';
export type * from './models/http/interfaces/provider-profile.interface.js';
export * from './models/http/http-chat-model.factory.js';
export { isHostOf, serverKey } from './models/http/server-host.js';
export * from './models/settings/described-schema.js';
export { readProviderError, type ProviderError } from './models/http/provider-error.reader.js';
export {
  checkRealRequest,
  setRequestPolicy,
  type RequestPolicy,
} from './models/http/real-requests.js';
