export const PLACEHOLDER = undefined;
