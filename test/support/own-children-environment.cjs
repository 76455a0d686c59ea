// Node's environment, and after the last hook of a test file the end of every process that the file
// started and did not end (test/support/own-child.ts).
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  async teardown() {
    for (const child of this.global.ownChildren ?? []) child.kill('SIGKILL');
    await super.teardown();
  }
};
