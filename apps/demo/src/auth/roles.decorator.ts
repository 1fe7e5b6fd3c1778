import { SetMetadata } from '@nestjs/common';
import type { Role } from './user.interface.js';

export const ROLES_METADATA = 'roles';

export const Roles = (...roles: Role[]) => SetMetadata(ROLES_METADATA, roles);
