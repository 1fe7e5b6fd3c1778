export { openaiResponses } from '../../libs/openai/src/openai-responses.factory.js';
export type * from '../../libs/openai/src/interfaces/openai-responses-options.interface.js';
export { toResponsesBody } from '../../libs/openai/src/responses/request/responses.encoder.js';
export { decodeResponse } from '../../libs/openai/src/responses/answer/decode-response.js';
