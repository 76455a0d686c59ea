#!/usr/bin/env node
// From a fresh clone to a running command: `node local/bootstrap.mjs <command> [arguments]` installs
// the packages and builds, each only when needed, and then runs the command. Plain Node without
// dependencies, since it runs before there are any. The scripts of package.json all come here.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './bootstrap/build.mjs';
import { explain, Failure } from './bootstrap/failure.mjs';
import { install, isInstalled } from './bootstrap/install.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { becomeCommand, endOnSignals } from './bootstrap/run.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each command runs, once everything is built. */
const COMMANDS = {
  start: 'dist/local/main.js',
  test: 'node_modules/jest/bin/jest.js',
  demo: 'dist/local/demo/main.js',
  bench: 'dist/bench/main.js',
  'bench:retention': 'dist/bench/retention.js',
  'bench:gateway': 'dist/bench/gateway-cost.js',
  fuzz: 'dist/local/fuzz/main.js',
  resolute: 'dist/cli/main.js',
  replay: 'dist/replay/main.js',
  campaign: 'dist/campaign/main.js',
  'provider-pages': 'dist/providers/write-pages.js',
  desk: 'dist/local/desk.js',
  rehearse: 'dist/rehearsals/main.js',
  build: undefined,
};

async function main([command, ...args]) {
  if (!Object.hasOwn(COMMANDS, command ?? '')) {
    const names = Object.keys(COMMANDS).join(' | ');
    throw new Failure(`Usage: node local/bootstrap.mjs ${names} [arguments]`);
  }
  checkNode();
  // Someone who asked `start` to stop got what they wanted; an interrupted test run passed nothing.
  endOnSignals(command === 'start' ? 0 : 130);
  if (!isInstalled(ROOT) || !isBuilt(ROOT)) {
    // Two at once in one clone: the second waits, and then finds nothing left to do.
    await withLock(ROOT, async () => {
      if (!isInstalled(ROOT)) await install(ROOT);
      if (!isBuilt(ROOT)) await build(ROOT);
    });
  }
  const script = COMMANDS[command];
  if (script !== undefined) await becomeCommand(join(ROOT, script), args);
}

function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = /(\d+)\.(\d+)/.exec(engines.node);
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = [Number(wanted[1]), Number(wanted[2])];
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Failure(
    `Node ${process.versions.node} is too old: install Node ${engines.node} and try again.`,
  );
}

main(process.argv.slice(2)).catch((error) => {
  console.error(explain(error));
  process.exit(1);
});
