// Jest reporter: the last line in plain words, and a run fails if anything was skipped. In CI, where
// every suite must run, it also fails if a test file on disk took no part.
const { readdirSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const ROOT = join(__dirname, '..', '..');

class ClosingLine {
  /** `own`: folders of test/ that are a suite with a script of its own; `only`: the one that this is. */
  constructor(_globalConfig, { own = [], only } = {}) {
    this.belongs = (folder) => (only === undefined ? !own.includes(folder) : folder === only);
  }

  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests;
    const ran = new Set(results.testResults.map(({ testFilePath }) => testFilePath));
    const absent = process.env.CI
      ? testFiles(join(ROOT, 'test')).filter(
          (file) =>
            this.belongs(relative(join(ROOT, 'test'), file).split(sep)[0]) && !ran.has(file),
        )
      : [];
    const filtered = process.argv.some((arg) => /^(-t|--testNamePattern)/.test(arg));
    if (absent.length > 0) {
      this.error = new Error(
        `took no part: ${absent.map((file) => relative(ROOT, file)).join(', ')}`,
      );
    } else if (skipped > 0 && !filtered) {
      this.error = new Error(`${skipped} tests were skipped`);
    }
    if (this.error) process.stderr.write(`\n${this.error.message}\n`);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
    // After everything else that Jest and the tear-down have to say.
    process.once('exit', () =>
      process.stdout.write(`
${line}
`),
    );
  }

  /** Jest exits with 1 if a reporter has an error. */
  getLastError() {
    return this.error;
  }
}

function testFiles(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

module.exports = ClosingLine;
