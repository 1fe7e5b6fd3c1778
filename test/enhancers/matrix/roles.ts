import { SetMetadata } from '@nestjs/common';

export const ROLE = 'matrix-role';
export const METHOD_ROLE = 'editor';
export const CLASS_ROLE = 'staff';

export const Role = (role: string) => SetMetadata(ROLE, role);

/** Where the guards look for what the caller may do. */
export interface MatrixRequest {
  readonly roles: readonly string[];
}

export const allowed = (): MatrixRequest => ({ roles: [METHOD_ROLE, CLASS_ROLE] });
export const withoutMethodRole = (): MatrixRequest => ({ roles: [CLASS_ROLE] });
export const withoutClassRole = (): MatrixRequest => ({ roles: [METHOD_ROLE] });
