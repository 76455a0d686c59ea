// Lint rules of the house. The strict type-aware set, plus the few bans that keep the decision core
// pure and the money paths explicit. Folder import rules live in .dependency-cruiser.cjs.
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

const clockAndRandomness = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time arrives as an argument.',
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Time arrives as an argument.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'No randomness here.',
  },
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.resolute/**', 'coverage/**'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: false }],
      'max-lines-per-function': ['error', { max: 70 }],
      'max-params': ['error', 3],
      'max-depth': ['error', 3],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['domain/**/*.ts', 'workflows/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval'] },
  },
  // Workflows may read the clock: the SDK makes it part of the history.
  {
    files: ['domain/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...clockAndRandomness] },
  },
  {
    files: ['**/main.ts', 'local/**/*.ts', 'bench/**/*.ts', 'cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    plugins: { jest },
    languageOptions: { globals: jest.environments.globals.globals },
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      'no-console': 'off',
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      'jest/no-identical-title': 'error',
      'jest/valid-expect': 'error',
    },
  },
);
