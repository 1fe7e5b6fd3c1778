import { ChatModelException } from 'nestjs-agent-tools';
import type { VertexOptions } from '../interfaces/vertex-options.interface.js';

export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';
/** Locations of several regions have hosts of another form. */
const MULTI_REGIONS = new Set(['us', 'eu']);

export function vertexBaseURL({ location }: VertexOptions): string {
  return `https://${vertexHost(location)}/v1`;
}

/** `v1` refuses ids of calls as unknown fields. */
export function hasVertexCallIds(baseURL: string): boolean {
  return /\/v1beta/.test(baseURL);
}

/**
 * The resource of a model: `models/gemini-2.5-flash`, or the long form of Vertex AI.
 *
 * @throws ChatModelException if the name leads elsewhere
 */
export function toModelPath(model: string, vertex: VertexOptions | undefined): string {
  const path = vertex
    ? `projects/${vertex.project}/locations/${vertex.location}/${toVertexResource(model)}`
    : toResource(model);
  return path.split('/').map(encodeSegment).join('/');
}

export function toEndpoint(baseURL: string, modelPath: string, stream: boolean): string {
  const url = new URL(baseURL);
  const method = stream ? 'streamGenerateContent' : 'generateContent';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${modelPath}:${method}`;
  if (stream) url.searchParams.set('alt', 'sse');
  return url.href;
}

function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return MULTI_REGIONS.has(location)
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}

function toResource(model: string): string {
  return /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
}

function toVertexResource(model: string): string {
  return /^(?:publishers|endpoints)\//.test(model)
    ? model
    : `publishers/google/models/${model.replace(/^models\//, '')}`;
}

function encodeSegment(segment: string): string {
  if (!/^\.{0,2}$/.test(segment)) return encodeURIComponent(segment);
  throw new ChatModelException(
    `gemini({ … }) needs names that can stand in an address; one of model, project and location has ` +
      `"${segment}" between two slashes.`,
  );
}
