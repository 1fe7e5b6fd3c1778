/**
 * Where and as whom Vertex AI is asked.
 *
 * @publicApi
 */
export interface VertexOptions {
  /** The id of the project in Google Cloud. */
  readonly project: string;
  /** A region such as `us-central1`, one of the multi-regions `us` and `eu`, or `global`. */
  readonly location: string;
  /** Asked before each request for the access token that is sent; `google-auth-library` can make one. */
  readonly token: () => string | Promise<string>;
}
