import { ChatModelException } from 'nestjs-agent-tools';
import type { GeminiOptions } from '../interfaces/gemini-options.interface.js';
import type { VertexOptions } from '../interfaces/vertex-options.interface.js';

const LOCATION = /^[a-z0-9-]+$/;

/** @throws ChatModelException that says what is missing, or too much */
export function checkVertex(
  { project, location, token }: Partial<VertexOptions>,
  { apiKey }: GeminiOptions,
): void {
  if (!project || !location || !LOCATION.test(location)) {
    throw new ChatModelException(
      'gemini({ vertex }) needs a project and a location: ' +
        "vertex: { project: 'my-project', location: 'us-central1', token }.",
    );
  }
  if (typeof token !== 'function' && !(typeof token === 'string' && token.trim())) {
    throw new ChatModelException(
      'gemini({ vertex }) needs an access token, or a function `token` that gives one. With google-auth-library: ' +
        'token: async () => (await auth.getAccessToken()) ?? ""',
    );
  }
  if (apiKey === undefined) return;
  throw new ChatModelException(
    'gemini({ vertex }) takes no `apiKey`: Vertex AI is asked with the access token of `vertex.token`.',
  );
}

/** The token takes the way of a key: asked before each request, and only for its own server. */
export function withToken(options: GeminiOptions, { token }: VertexOptions): GeminiOptions {
  const apiKey = async (): Promise<string> => {
    const given: unknown = typeof token === 'string' ? token : await ask(token);
    if (typeof given === 'string' && given.trim()) return given;
    throw new ChatModelException(
      'The function `token` of gemini({ vertex: { token } }) gave no access token.',
    );
  };
  return { ...options, apiKey };
}

async function ask(token: () => string | Promise<string>): Promise<unknown> {
  try {
    return await token();
  } catch (cause) {
    throw new ChatModelException(
      'The function `token` of gemini({ vertex: { token } }) failed; see the cause.',
      { cause },
    );
  }
}
