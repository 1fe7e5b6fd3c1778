import { register } from 'node:module';

// For `node --import`: the process runs on Nest 11 instead of Nest 12.
register('./nest-11.hooks.mjs', import.meta.url);
