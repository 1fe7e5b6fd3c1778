import type { User } from './user.interface.js';

/** Stands for a real login: the bearer token is the key. */
export const USERS: ReadonlyMap<string, User> = new Map([
  ['ada', { name: 'Ada Lovelace', role: 'customer' }],
  ['sam', { name: 'Sam Support', role: 'support' }],
]);
