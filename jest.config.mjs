import { toEsModules } from './test/support/es-modules.mjs';

// Native ESM needs `node --experimental-vm-modules`; `npm test` sets it.
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export default {
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/test/**/*.spec.ts',
    '<rootDir>/libs/**/*.spec.ts',
    '<rootDir>/apps/**/*.spec.ts',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/bench', '<rootDir>/.smoke'],
  moduleNameMapper: {
    '^nestjs-agent-tools$': '<rootDir>/libs/agent-tools/src/index.ts',
    '^nestjs-agent-tools/model-kit$': '<rootDir>/libs/agent-tools/src/model-kit.ts',
    '^nestjs-agent-tools/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...(await toEsModules(['nestjs-cls', '@nestjs/throttler'])),
    '^\\./require-package\\.cjs$': '<rootDir>/libs/agent-tools/src/utils/require-package.cts',
  },
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc],
    '^.+\\.cts$': ['@swc/jest', { ...swc, module: { type: 'commonjs' } }],
  },
  // Leaks fail their suite (test/support/leak-check.ts); without this they would also hang the run.
  forceExit: true,
  // Jest would leave one core to others, and a process that has run many suites becomes slow.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/support/leak-check.ts'],
  reporters: ['default', '<rootDir>/test/support/count-reporter.mjs'],
};
