/**
 * The application's own values of a run, such as the tenant or the user. Tell TypeScript what they
 * are once, by augmentation:
 *
 * ```ts
 * declare module 'nestjs-agent-tools' {
 *   interface AgentRunContext { tenant: string }
 * }
 * ```
 *
 * @publicApi
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by augmentation
export interface AgentRunContext {}

/**
 * A key of the run's context; any string as long as `AgentRunContext` is not augmented.
 *
 * @publicApi
 */
export type AgentRunContextKey = keyof AgentRunContext extends never
  ? string
  : Extract<keyof AgentRunContext, string>;
