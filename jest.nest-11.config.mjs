import config from './jest.config.mjs';

// The same tests against Nest 11, which is installed in test/nest-11. rxjs and reflect-metadata
// must be one copy for both sides.
const NEST_11 = '<rootDir>/test/nest-11/node_modules/@nestjs';

export default {
  ...config,
  // Nest 11 has no StandardSchemaValidationPipe.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/types/',
    '<rootDir>/test/docs/',
    // Nothing of Nest takes part in these.
    '<rootDir>/test/arguments/(coercion|properties|repair)',
    '<rootDir>/test/(models|contract|openai|anthropic|gemini|ai-sdk|langchain|offline|providers)/',
    '<rootDir>/test/testing/(schema-sampler|traffic|from-|forbid)',
    '<rootDir>/test/loop/(fuzz|bad-input|chat-options|control|history|model-|text-tool-calls)',
    '<rootDir>/test/execution/(load|streaming/volume)',
    '<rootDir>/test/policies/precedence',
    '<rootDir>/test/schemas/(dialects|json-schema|typebox|union-depth|undescribable|valibot)',
    '<rootDir>/test/schemas/nest-12-convention',
  ],
  moduleNameMapper: {
    '^@nestjs/([^/]+)$': `${NEST_11}/$1`,
    '^@nestjs/([^/]+)/(.+)$': `${NEST_11}/$1/$2`,
    '^rxjs$': '<rootDir>/node_modules/rxjs',
    '^rxjs/(.+)$': '<rootDir>/node_modules/rxjs/$1',
    '^reflect-metadata$': '<rootDir>/node_modules/reflect-metadata',
    ...config.moduleNameMapper,
  },
};
