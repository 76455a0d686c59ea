// One project a folder of test/, so that a suite can be run alone: `npm test -- --selectProjects unit`.
// Type checking is a step of its own (`npm run check`); swc only strips types.
const project = (name, sharedStack = false) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/support/own-children-environment.cjs',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.resolute/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/time-limit.ts'],
  // Jest runs a set-up that several projects name once, and only if one of them takes part.
  ...(sharedStack && {
    globalSetup: '<rootDir>/test/support/start-shared-stack.ts',
    globalTeardown: '<rootDir>/test/support/stop-shared-stack.ts',
  }),
});

module.exports = {
  // A third would keep two processors busier, and make what is to be in time late.
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  reporters: ['default', ['<rootDir>/test/support/closing-line.cjs', { own: ['desk'] }]],
  projects: [
    project('unit'),
    project('model'),
    project('simulator'),
    project('providers'),
    project('local'),
    project('replay'),
    project('store', true),
    project('workflow', true),
    project('e2e', true),
    project('faults'),
  ],
};
