import type { User } from './user.interface.js';

export interface AuthenticatedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: User;
}
