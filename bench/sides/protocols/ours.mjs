import { loadLibrary } from '../../lib/library.mjs';
import { PROMPT } from './prompt.mjs';

const REQUEST = { messages: [{ role: 'user', content: PROMPT }] };

const FACTORIES = {
  'chat-completions': ['openai', 'openai', '/v1'],
  responses: ['openai', 'openaiResponses', '/v1'],
  messages: ['anthropic', 'anthropic', '/v1'],
  'generate-content': ['gemini', 'gemini', '/v1beta'],
};

export async function createReader(protocol, { url, fetch }) {
  const [entry, factory, version] = FACTORIES[protocol];
  const { [factory]: create } = await loadLibrary(entry);
  const model = create({ model: 'a-model', apiKey: 'none', baseURL: url + version, fetch });
  return async (onText) => {
    for await (const delta of model.stream(REQUEST, {})) {
      if (delta.type === 'text') onText(delta.text);
    }
  };
}
