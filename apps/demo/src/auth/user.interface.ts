export type Role = 'customer' | 'support';

export interface User {
  readonly name: string;
  readonly role: Role;
}
