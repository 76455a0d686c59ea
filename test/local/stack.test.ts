/** The whole embedded stack, with the real programs of dist/. Few starts: each costs seconds. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { CONCERN_NAMES } from '../../domain/concern';
import { isAlive } from '../../local/process-identity';
import { PROJECT_ROOT, SHARED_CACHE } from '../../local/project-root';
import { readReady, startStack, type Ready, type RunningStack } from '../../local/ready';
import { findTemporalCli } from '../../local/temporal-server';
import * as searchAttributes from '../../orchestration/search-attributes';
import { eventually, removeScratch, scratchDirectory } from './scratch';

// Below a directory of mode 0700: PostgreSQL, which may not run as root, must reach it all the same.
const dataDirectory = join(scratchDirectory(), 'data');
let stack: RunningStack;

beforeAll(async () => {
  stack = await startStack({ dataDirectory });
}, 120_000);

afterAll(async () => {
  await stack.stop();
  removeScratch();
}, 30_000);

jest.setTimeout(60_000);

const RESTARTED = ['postgres', 'temporal', 'api', 'worker', 'simulator'] as const;

const ports = {
  RESOLUTE_API_PORT: '0',
  RESOLUTE_SIMULATOR_PORT: '0',
  RESOLUTE_TEMPORAL_PORT: '0',
  RESOLUTE_UI_PORT: '0',
  RESOLUTE_DATABASE_PORT: '0',
};

const temporalCli = (): Promise<string> => findTemporalCli({ cacheDirectory: SHARED_CACHE });

/** Starts the supervisor itself, to see what it prints and how it ends. */
async function startToEnd(environment: Record<string, string>) {
  const { status, stderr } = await ended(supervisorWith(environment));
  return { status, error: stderr.trim() };
}

function supervisorWith(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(PROJECT_ROOT, 'dist', 'local', 'main.js')], {
    env: { ...process.env, NO_COLOR: '1', ...ports, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function ended(child: ChildProcess): Promise<{ status: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stderr };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when the API finds everything it needs. */
async function untilApiReady({ api }: Ready): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await fetch(`${api}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (Date.now() > end) throw new Error('The API did not become ready again.');
    await new Promise(setImmediate);
  }
}

function present(): Ready {
  const ready = readReady(dataDirectory);
  if (ready === undefined) throw new Error('There is no ready.json.');
  return ready;
}

test('ready.json leads to an API, a desk, a database, a simulator and two tenants', async () => {
  const { ready } = stack;
  await untilApiReady(ready);
  expect((await fetch(ready.desk)).status).toBe(200);
  const settings = await query(
    ready.database,
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'data_checksums', 'server_encoding') order by name",
  );
  expect(settings.map((row) => Object.values(row))).toEqual([
    ['data_checksums', 'on'],
    ['fsync', 'on'],
    ['server_encoding', 'UTF8'],
    ['synchronous_commit', 'on'],
  ]);
  const tokens = [...Object.values(ready.tenants), ...Object.values(ready.operators)];
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(4);
  expect(Object.values(ready.pids).every(isAlive)).toBe(true);
});

test('npm run desk gives a link to every list of trouble, and each opens', async () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(PROJECT_ROOT, 'dist', 'local', 'desk.js')],
    { env: { ...process.env, RESOLUTE_DATA_DIR: dataDirectory }, encoding: 'utf8' },
  );
  expect(status).toBe(0);
  const links = [...stdout.matchAll(/^ {2}(\S.*?) +(http\S+)$/gm)];
  const named = links.map(([, name]) => name);
  for (const concern of Object.values(CONCERN_NAMES)) expect(named).toContain(concern);
  for (const list of ['In review', 'Unknown for an hour', 'Cancel pending', 'Broken', 'Orphans']) {
    expect(named).toContain(list);
  }
  const answers = await Promise.all(links.map(([, , url = '']) => fetch(url)));
  // Whoever is not signed in is asked to, on the page itself.
  expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
});

test("the namespace has the operators' search attributes and keeps closed runs for 30 days", async () => {
  const { ready } = stack;
  const cli = await temporalCli();
  const operator = (...args: string[]) =>
    spawnSync(cli, ['operator', ...args, '--address', ready.temporal.address], {
      encoding: 'utf8',
    }).stdout;
  const listed = operator('search-attribute', 'list').toUpperCase();
  for (const { name, type } of Object.values(searchAttributes)) {
    expect(listed).toMatch(new RegExp(`${name.toUpperCase()}\\s+${type}`));
  }
  expect(operator('namespace', 'describe', '-n', 'default')).toMatch(/720h|30d/);
});

test.each(RESTARTED)(
  '%s is back within a second of its SIGKILL, in ready.json too',
  async (name) => {
    const before = present().pids[name];
    const killedAt = performance.now();
    process.kill(before, 'SIGKILL');
    const after = await eventually(() => {
      const pid = present().pids[name];
      return pid === before ? undefined : pid;
    });
    expect(performance.now() - killedAt).toBeLessThan(1_000);
    expect(isAlive(after)).toBe(true);
    await untilApiReady(present());
  },
);

test('the postmaster comes back although a busy backend of the killed one stays', async () => {
  const client = new Client({ connectionString: present().database });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const busy = client.query('select count(*) from generate_series(1, 100000000000)');
  const ending = busy.then(
    () => 'ended',
    () => 'broken',
  );
  process.kill(present().pids.postgres, 'SIGKILL');
  expect(await ending).toBe('broken');
  await untilApiReady(present());
  expect(isAlive(rows[0]?.pid ?? 0)).toBe(false);
});

test('a second start on the data directory refuses in one line that names the first', async () => {
  const { status, error } = await startToEnd({ RESOLUTE_DATA_DIR: dataDirectory });
  expect(status).toBe(1);
  expect(error).toMatch(new RegExp(`^Already running: process ${stack.ready.pids.supervisor} .*$`));
});

test('a taken port is an error that names its variable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status, error } = await startToEnd({
    RESOLUTE_DATA_DIR: scratchDirectory(),
    RESOLUTE_UI_PORT: String(port),
  });
  server.close();
  expect(status).toBe(1);
  expect(error).toMatch(new RegExp(`^RESOLUTE_UI_PORT: port ${port} is not available.*$`));
});

test('a contract with an unknown member stops the start with one line, and nothing is left', async () => {
  const directory = scratchDirectory();
  const supervisor = supervisorWith({
    RESOLUTE_DATA_DIR: directory,
    RESOLUTE_SIMULATOR_CONTRACT: '{"sim-full":{"sned":{}}}',
    TEMPORAL_CLI: await temporalCli(),
  });
  const { status, stderr } = await ended(supervisor);
  expect(status).toBe(78);
  expect(stderr.trim()).toMatch(/^.*RESOLUTE_SIMULATOR_CONTRACT.*sned.*$/);
  expect(existsSync(join(directory, 'processes.json'))).toBe(false);
  expect(existsSync(join(directory, 'ready.json'))).toBe(false);
});

test('after a SIGKILL of the supervisor the next start cleans up and keeps data and tokens', async () => {
  const before = present();
  await query(before.database, 'create table kept as select 42 as answer');
  process.kill(before.pids.supervisor, 'SIGKILL');
  await eventually(() => !isAlive(before.pids.supervisor) || undefined);
  const left = RESTARTED.map((name) => before.pids[name]);
  expect(left.every(isAlive)).toBe(true);

  stack = await startStack({ dataDirectory });

  expect(left.some(isAlive)).toBe(false);
  expect(await query(stack.ready.database, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(stack.ready.tenants).toEqual(before.tenants);
  await untilApiReady(stack.ready);
});

test('SIGTERM ends everything within 15 s with exit code 0 and removes ready.json', async () => {
  const { pids } = present();
  const askedAt = performance.now();
  expect(await stack.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(15_000);
  expect(Object.values(pids).some(isAlive)).toBe(false);
  expect(readReady(dataDirectory)).toBeUndefined();
});

test('npm start that receives SIGTERM exits 0 and leaves nothing running', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      ...ports,
      RESOLUTE_DATA_DIR: dataDirectory,
      TEMPORAL_CLI: await temporalCli(),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = ended(npm);
  const { pids } = await eventually(() => readReady(dataDirectory), 45_000);
  npm.kill('SIGTERM');
  expect(await end).toMatchObject({ status: 0 });
  expect(Object.values(pids).some(isAlive)).toBe(false);
});
