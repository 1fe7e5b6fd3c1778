export { openaiResponses } from '../../libs/openai/src/responses/openai-responses.factory.js';
export type * from '../../libs/openai/src/responses/interfaces/openai-responses-options.interface.js';
export { toResponsesBody } from '../../libs/openai/src/responses/responses.encoder.js';
export { decodeResponse } from '../../libs/openai/src/responses/response.decoder.js';
