/** What the data directory keeps: credentials, ready.json, the claim and the recorded processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialsPath, keepCredentials } from '../../local/credentials';
import { claimDataDirectory } from '../../local/instance-lock';
import { readJsonFile, writeJsonFile } from '../../local/json-file';
import { identityOf, isProvenRunning, mayBeRunning } from '../../local/process-identity';
import { ProcessRegistry } from '../../local/process-registry';
import { eventually, removeScratch, scratchDirectory } from './scratch';

const never = new AbortController().signal;
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  removeScratch();
});

/** A process that is there until it is killed; with `stubborn` not even SIGTERM ends it. */
async function startProcess(stubborn = false): Promise<{ child: ChildProcess; pid: number }> {
  const trap = stubborn ? "process.on('SIGTERM', () => {});" : '';
  const code = `${trap} setInterval(() => {}, 1000); console.log('up');`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return { child, pid: child.pid ?? 0 };
}

describe('credentials', () => {
  test('they are made once and kept, for the owner alone', () => {
    const directory = scratchDirectory();
    const first = keepCredentials(directory);
    expect(keepCredentials(directory)).toEqual(first);
    expect(statSync(credentialsPath(directory)).mode & 0o777).toBe(0o600);
  });

  test('every secret is another one, and the signing secret has its form', () => {
    const { passwords, tenants, operators, signingSecret } = keepCredentials(scratchDirectory());
    const tokens = [...Object.values(tenants), ...Object.values(operators)].map((t) => t.token);
    const secrets = [...Object.values(passwords), ...tokens];
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
  });
});

test('a file that is rewritten again and again is read whole every time', async () => {
  const path = join(scratchDirectory(), 'ready.json');
  const value = { pids: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, i])) };
  writeJsonFile(path, value);
  const code = `
    const { readFileSync } = require('node:fs');
    const end = Date.now() + 400;
    let reads = 0;
    for (; Date.now() < end; reads += 1) JSON.parse(readFileSync(process.argv[1], 'utf8'));
    console.log(reads);`;
  const reader = spawn(process.execPath, ['-e', code, path], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(reader, 'exit');
  while (reader.exitCode === null) {
    writeJsonFile(path, value);
    await new Promise(setImmediate);
  }
  expect(await exit).toEqual([0, null]);
});

describe('process identity', () => {
  test('a running process is proven by pid and start time', async () => {
    const { child, pid } = await startProcess();
    const identity = identityOf(pid);
    expect(isProvenRunning(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isProvenRunning(identity)).toBe(false);
    expect(mayBeRunning(identity)).toBe(false);
  });

  test('a recycled pid is not the recorded process', () => {
    const recycled = { pid: process.pid, startedAt: 'another-boot/1' };
    expect(isProvenRunning(recycled)).toBe(false);
    expect(mayBeRunning(recycled)).toBe(false);
  });

  test('without a recorded start time nothing is proven, and nothing ruled out', () => {
    const unknown = { pid: process.pid, startedAt: null };
    expect(isProvenRunning(unknown)).toBe(false);
    expect(mayBeRunning(unknown)).toBe(true);
  });
});

describe('leftovers of a killed supervisor', () => {
  test('they are ended, stubborn ones too, and a stranger with a recorded pid is spared', async () => {
    const directory = scratchDirectory();
    const [meek, stubborn, stranger] = await Promise.all([
      startProcess(),
      startProcess(true),
      startProcess(),
    ]);
    const registry = new ProcessRegistry(directory);
    registry.record('api', meek.pid);
    registry.record('worker', stubborn.pid);
    registry.record('temporal', stranger.pid);
    const path = join(directory, 'processes.json');
    const recorded = readJsonFile(path) as { name: string; startedAt: string }[];
    const altered = recorded.map((one) =>
      one.name === 'temporal' ? { ...one, startedAt: 'another-boot/1' } : one,
    );
    writeJsonFile(path, altered);

    expect(await new ProcessRegistry(directory).endLeftovers()).toEqual(['api', 'worker']);

    // Gone already; that Node has noticed it too may take a moment.
    expect(await eventually(() => meek.child.signalCode ?? undefined)).toBe('SIGTERM');
    expect(await eventually(() => stubborn.child.signalCode ?? undefined)).toBe('SIGKILL');
    expect(stranger.child.exitCode ?? stranger.child.signalCode).toBeNull();
    expect(existsSync(path)).toBe(false);
  });
});

describe('the claim on a data directory', () => {
  test('a second claim is refused, naming the process that has the first', async () => {
    const directory = scratchDirectory();
    const { pid } = await startProcess();
    writeJsonFile(join(directory, 'supervisor.json'), identityOf(pid));
    await expect(claimDataDirectory(directory, never)).rejects.toThrow(`process ${pid} uses`);
  });

  test.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'x/1' })],
    ['with a recycled pid', JSON.stringify({ pid: process.pid, startedAt: 'x/1' })],
    ['that is damaged', '{"pid":'],
  ])('a claim %s is taken over', async (_title, text) => {
    const directory = scratchDirectory();
    const path = join(directory, 'supervisor.json');
    writeFileSync(path, text);
    const claim = await claimDataDirectory(directory, never);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(identityOf(process.pid));
    claim.release();
    expect(existsSync(path)).toBe(false);
  });

  test('a claim waits for a holder that is ending', async () => {
    const directory = scratchDirectory();
    const { child, pid } = await startProcess();
    const ending = { ...identityOf(pid), isEnding: true };
    writeJsonFile(join(directory, 'supervisor.json'), ending);
    const claim = claimDataDirectory(directory, never);
    child.kill('SIGKILL');
    (await claim).release();
  });
});
