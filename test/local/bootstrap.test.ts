/** The bootstrap in a clone of stand-ins: an npm, a compiler and programs of one line each. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../local/project-root';
import { eventually, removeScratch, scratchDirectory } from './scratch';

afterAll(removeScratch);

const LOCK_FILE = JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } });

/** Each stand-in writes its name to a log when it runs, after what it makes is whole. */
const note = (name: string): string => `require('node:fs').appendFileSync('log', '${name}\\n');`;

const NPM = `
const fs = require('node:fs');
fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
fs.copyFileSync('compiler.js', 'node_modules/typescript/bin/tsc');
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
${note('npm')}`;

const COMPILER = `
const fs = require('node:fs');
if (fs.existsSync('wait')) { setInterval(() => {}, 1000); return; }
if (fs.existsSync('broken')) { console.log('a.ts(1,1): error'); process.exit(2); }
for (const name of ['workers/bundle', 'local/main']) {
  fs.mkdirSync('dist/' + name.split('/')[0], { recursive: true });
  fs.copyFileSync('program.js', 'dist/' + name + '.js');
}
${note('compiler')}`;

const PROGRAM = `
console.log(process.argv[1].split('/').slice(-2).join('/'), ...process.argv.slice(2));
if (process.argv[2] === 'stay') {
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
}
${note('ran')}`;

function makeClone(): string {
  const root = scratchDirectory();
  const files = {
    'package.json': JSON.stringify({ engines: { node: '>=20.0' } }),
    'package-lock.json': LOCK_FILE,
    'npm.js': NPM,
    'compiler.js': COMPILER,
    'program.js': PROGRAM,
    'domain/a.ts': 'one',
    'store/migrations/0001_a.sql': 'select 1',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  cpSync(join(PROJECT_ROOT, 'local', 'bootstrap.mjs'), join(root, 'local', 'bootstrap.mjs'));
  cpSync(join(PROJECT_ROOT, 'local', 'bootstrap'), join(root, 'local', 'bootstrap'), {
    recursive: true,
  });
  return root;
}

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
}

function bootstrap(root: string, ...args: string[]): Run {
  const child = spawn(process.execPath, ['local/bootstrap.mjs', ...args], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, 'npm.js') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
  return { child, ended };
}

/** What ran since the last look. */
function ran(root: string): string[] {
  const log = join(root, 'log');
  const names = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  rmSync(log, { force: true });
  return names;
}

test('a fresh clone is installed, compiled and bundled before the command runs', async () => {
  const root = makeClone();
  const { code, output } = await bootstrap(root, 'start', '--flag').ended;
  expect(output).toContain('local/main.js --flag');
  expect(code).toBe(0);
  expect(ran(root)).toEqual(['npm', 'compiler', 'ran', 'ran']);
  expect(existsSync(join(root, 'dist/store/migrations/0001_a.sql'))).toBe(true);
});

test('only what has changed is done again', async () => {
  const root = makeClone();
  await bootstrap(root, 'build').ended;
  ran(root);

  await bootstrap(root, 'build').ended;
  expect(ran(root)).toEqual([]);

  writeFileSync(join(root, 'domain/a.ts'), 'two');
  await bootstrap(root, 'build').ended;
  expect(ran(root)).toEqual(['compiler', 'ran']);

  writeFileSync(join(root, 'package-lock.json'), LOCK_FILE.replace('1.0.0', '1.0.1'));
  await bootstrap(root, 'build').ended;
  expect(ran(root)).toEqual(['npm', 'compiler', 'ran']);
});

test('a migration that was renamed is not built under its old name', async () => {
  const root = makeClone();
  await bootstrap(root, 'build').ended;
  rmSync(join(root, 'store/migrations/0001_a.sql'));
  writeFileSync(join(root, 'store/migrations/0001_b.sql'), 'select 1');
  await bootstrap(root, 'build').ended;
  expect(existsSync(join(root, 'dist/store/migrations/0001_a.sql'))).toBe(false);
  expect(existsSync(join(root, 'dist/store/migrations/0001_b.sql'))).toBe(true);
});

test('two at once install and build once', async () => {
  const root = makeClone();
  const runs = [bootstrap(root, 'build'), bootstrap(root, 'build')];
  const ends = await Promise.all(runs.map((run) => run.ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(ran(root)).toEqual(['npm', 'compiler', 'ran']);
});

test('the lock of a build that was killed is taken over, and the build done again', async () => {
  const root = makeClone();
  writeFileSync(join(root, 'wait'), '');
  const { child, ended } = bootstrap(root, 'build');
  await eventually(() => existsSync(join(root, 'dist/.bootstrap-lock')) || undefined);
  child.kill('SIGKILL');
  await ended;
  rmSync(join(root, 'wait'));
  const { code, output } = await bootstrap(root, 'build').ended;
  expect(output).not.toContain('Waiting for');
  expect(code).toBe(0);
});

test('a failed build shows what the compiler said, runs nothing, and is tried again', async () => {
  const root = makeClone();
  writeFileSync(join(root, 'broken'), '');
  const { code, output } = await bootstrap(root, 'start').ended;
  expect(code).toBe(1);
  expect(output).toMatch(/a\.ts\(1,1\): error\nCompiling failed \(exit code 2\)\. Correct/);
  rmSync(join(root, 'broken'));
  expect((await bootstrap(root, 'build').ended).code).toBe(0);
});

test('a signal during the build of a start ends it with exit code 0, and leaves no lock', async () => {
  const root = makeClone();
  writeFileSync(join(root, 'wait'), '');
  const { child, ended } = bootstrap(root, 'start');
  await eventually(() => existsSync(join(root, 'node_modules/.package-lock.json')) || undefined);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(existsSync(join(root, 'dist/.bootstrap-lock'))).toBe(false);
});

test('the command gets the signals itself, and its exit code is the answer', async () => {
  const root = makeClone();
  const { child, ended } = bootstrap(root, 'start', 'stay');
  // Once as the bundler, once as the command.
  const seen: string[] = [];
  await eventually(() => {
    seen.push(...ran(root));
    return seen.filter((name) => name === 'ran').length === 2 || undefined;
  });
  child.kill('SIGTERM');
  expect((await ended).code).toBe(7);
});

test('an unknown command is answered with the known ones', async () => {
  const { code, output } = await bootstrap(makeClone(), 'strat').ended;
  expect(code).toBe(1);
  expect(output).toContain('start | test | demo | bench');
});
