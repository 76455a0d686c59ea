// `npm run record-histories`: records golden histories from real runs. Not part of the tests.
const { projects } = require('../../jest.config.cjs');

const workflow = projects.find(({ displayName }) => displayName === 'workflow');

module.exports = {
  ...workflow,
  displayName: 'record',
  testMatch: ['<rootDir>/test/replay/record-histories.ts'],
};
