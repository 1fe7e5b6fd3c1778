import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { AuthenticatedRequest } from './authenticated-request.interface.js';
import { USERS } from './users.data.js';

/** Puts the user of the bearer token on the request. */
@Injectable()
export class AuthMiddleware implements NestMiddleware {
  use(request: AuthenticatedRequest, _response: unknown, next: () => void): void {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme === 'Bearer' && token) request.user = USERS.get(token);
    next();
  }
}
