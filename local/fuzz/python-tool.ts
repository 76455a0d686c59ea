/**
 * A tool of the Python registry in a virtual environment of its own, below the clone's cache: made when
 * it is first needed, and made anew when its requirements change.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quietEnvironment } from '../environment';
import { runToEnd } from '../run-to-end';
import { StartError } from '../start-error';

/** Where it is kept, and what is in it. */
export interface PythonTool {
  readonly directory: string;
  /** A file of exact versions. */
  readonly requirements: string;
}

/** Path of one of the tool's programs. Throws StartError that says what is missing. */
export async function pythonProgram(
  { directory, requirements }: PythonTool,
  name: string,
): Promise<string> {
  const wanted = readFileSync(requirements, 'utf8');
  // Written last: an environment whose making was interrupted counts as none.
  const stamp = join(directory, 'requirements.txt');
  const program = join(directory, 'bin', name);
  const isMade = existsSync(program) && existsSync(stamp);
  if (isMade && readFileSync(stamp, 'utf8') === wanted) return program;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(dirname(directory), { recursive: true });
  const advice = 'Install Python 3.10 or newer with its venv module (Debian: python3-venv).';
  await run('python3', ['-m', 'venv', directory], advice);
  await run(
    join(directory, 'bin', 'pip'),
    ['install', '--quiet', '--no-deps', '--only-binary=:all:', '-r', requirements],
    'The Python registry must be reachable; PIP_INDEX_URL names another one.',
  );
  writeFileSync(stamp, wanted);
  return program;
}

async function run(file: string, args: readonly string[], advice: string): Promise<void> {
  const environment = quietEnvironment({ PIP_DISABLE_PIP_VERSION_CHECK: '1' });
  const { code, output } = await runToEnd({ file, args, environment }).catch((error: unknown) => ({
    code: null,
    output: String(error),
  }));
  if (code !== 0) throw new StartError(`${file} failed: ${output.trim()}\n${advice}`);
}
