// `npm run test:desk`: operators' clicks in a real browser (Debian's chromium, or CHROMIUM=<path>). A
// suite of its own, since a browser is more than the other tests ask of a machine.
const { join } = require('node:path');
const base = require('../../jest.config.cjs');

const e2e = base.projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...base,
  rootDir: join(__dirname, '..', '..'),
  maxWorkers: 1,
  reporters: ['default', ['<rootDir>/test/support/closing-line.cjs', { only: 'desk' }]],
  projects: [{ ...e2e, displayName: 'desk', testMatch: ['<rootDir>/test/desk/*.test.ts'] }],
};
