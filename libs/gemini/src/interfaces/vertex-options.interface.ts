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
  /**
   * The access token, or a function that is asked for it before each request: one is good for an hour.
   * `google-auth-library` can make them.
   */
  readonly token: string | (() => string | Promise<string>);
}
