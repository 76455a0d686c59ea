/** A program's life under the supervisor, with one-line Node scripts as programs. */
import { join } from 'node:path';
import { appearsInLog } from '../../local/log-file';
import { isAlive } from '../../local/process-identity';
import { SupervisedProgram, type Program } from '../../local/supervised-program';
import { eventually, removeScratch, scratchDirectory } from './scratch';

const supervised: SupervisedProgram[] = [];

afterEach(async () => {
  await Promise.all(supervised.splice(0).map((program) => program.stop(0)));
});
afterAll(removeScratch);

interface Seen {
  readonly pids: number[];
  readonly restarts: string[];
  readonly losses: string[];
}

function supervise(code: string, changes: Partial<Program> = {}): [SupervisedProgram, Seen] {
  const seen: Seen = { pids: [], restarts: [], losses: [] };
  const program: Program = {
    name: 'worker',
    command: { file: process.execPath, args: ['-e', code], environment: process.env },
    stopSignal: 'SIGTERM',
    untilReady: (child, signal) => appearsInLog(child.log, 'ready', signal),
    ...changes,
  };
  const made = new SupervisedProgram(program, join(scratchDirectory(), 'worker.log'), {
    spawned: (_name, pid) => seen.pids.push(pid),
    restarting: (line) => seen.restarts.push(line),
    lost: (error) => seen.losses.push(String(error)),
  });
  supervised.push(made);
  return [made, seen];
}

const ALIVE = "console.log('ready'); setInterval(() => {}, 1000);";

test('a program that is killed runs again within a second, under a new pid', async () => {
  const [program, seen] = supervise(ALIVE);
  await program.start();
  for (let kills = 1; kills <= 3; kills += 1) {
    const before = performance.now();
    process.kill(program.pid ?? 0, 'SIGKILL');
    await eventually(() => seen.pids.length === kills + 1 || undefined);
    expect(performance.now() - before).toBeLessThan(1_000);
  }
  expect(new Set(seen.pids).size).toBe(4);
  expect(seen.restarts[0]).toContain('was killed by SIGKILL');
});

test('a program that cannot live fails the start with its last line', async () => {
  const [program, seen] = supervise("console.error('no database'); process.exit(3);");
  await expect(program.start()).rejects.toThrow(/worker exited with code 3: no database/);
  expect(seen.pids.length).toBeGreaterThan(1);
});

test('a program that refuses its configuration is not tried again', async () => {
  const [program, seen] = supervise("console.error('X is not set.'); process.exit(78);");
  await expect(program.start()).rejects.toThrow(/refuses its configuration: X is not set\./);
  expect(seen.pids).toHaveLength(1);
});

test('a program that refuses its configuration later on is reported', async () => {
  const [program, seen] = supervise(
    "console.log('ready'); process.on('SIGUSR2', () => process.exit(78)); setInterval(() => {}, 1000);",
  );
  await program.start();
  process.kill(program.pid ?? 0, 'SIGUSR2');
  await eventually(() => seen.losses[0]);
  expect(seen.pids).toHaveLength(1);
});

test('a program that is not installed fails the start with its name', async () => {
  const command = { file: '/nowhere/temporal', args: [], environment: process.env };
  const [program] = supervise('', { command });
  await expect(program.start()).rejects.toThrow(/could not be started: .*\/nowhere\/temporal/);
});

test('a stop lets the program end by itself', async () => {
  const [program] = supervise(
    "console.log('ready'); process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);",
  );
  await program.start();
  expect(await program.stop(5_000)).toBe(true);
  expect(isAlive(program.pid ?? 0)).toBe(false);
});

test('a stop kills a program that does not end in time, and starts none again', async () => {
  const [program, seen] = supervise(`process.on('SIGTERM', () => {}); ${ALIVE}`);
  await program.start();
  expect(await program.stop(50)).toBe(false);
  expect(isAlive(program.pid ?? 0)).toBe(false);
  expect(seen.pids).toHaveLength(1);
});
