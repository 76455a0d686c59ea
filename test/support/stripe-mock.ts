/**
 * stripe-mock, Stripe's own server over the schema of its API: it refuses what the schema does not
 * know. Found like the Temporal server: the variable STRIPE_MOCK, PATH, the cache, at last built by Go
 * from the module proxy, once. Where there is none, the suite fails and says what to install.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SHARED_CACHE } from '../../local/project-root';
import { runToEnd } from '../../local/run-to-end';
import { own } from './own-child';

/** Its schema is that of `STRIPE_API_VERSION`: the mock is told to refuse every other. */
const VERSION = '0.203.0';
const PLACE = join(SHARED_CACHE, `stripe-mock-${VERSION}`);
const PROGRAM = join(PLACE, 'stripe-mock');

export interface StripeMock {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts it on a free port of the loopback. */
export async function startStripeMock(): Promise<StripeMock> {
  const args = ['-http-addr', '127.0.0.1:0', '-strict-version-check'];
  const mock = own(spawn(await findStripeMock(), args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const gone = new Promise<void>((resolve) => mock.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (bytes: Buffer) => {
      said += bytes.toString();
      const found = /HTTP at address: (127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    mock.stdout.on('data', hear);
    mock.stderr.on('data', hear);
    mock.once('error', reject);
    void gone.then(() => reject(new Error(`stripe-mock ended:\n${said}`)));
  });
  return {
    origin: `http://${address}`,
    async stop() {
      mock.kill();
      await gone;
    },
  };
}

async function findStripeMock(): Promise<string> {
  const named = process.env['STRIPE_MOCK'] ?? '';
  if (named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`STRIPE_MOCK: ${named} is not executable. Correct the path or unset it.`);
  }
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((part) => part !== '');
  const paths = [...directories.map((directory) => join(directory, 'stripe-mock')), PROGRAM];
  return paths.find(isExecutable) ?? build();
}

/** In a draft directory and renamed: what is in the cache is always whole. */
async function build(): Promise<string> {
  mkdirSync(SHARED_CACHE, { recursive: true });
  const draft = mkdtempSync(join(SHARED_CACHE, '.stripe-mock-'));
  try {
    const args = ['install', `github.com/stripe/stripe-mock@v${VERSION}`];
    const environment = { ...process.env, GOBIN: draft, GOFLAGS: '' };
    const { code, output } = await runToEnd({ file: 'go', args, environment });
    if (code !== 0) throw new Error(output);
    if (!isExecutable(PROGRAM)) renameSync(draft, PLACE);
    return PROGRAM;
  } catch (error) {
    throw new Error(
      `stripe-mock ${VERSION} is neither in STRIPE_MOCK nor on PATH nor in ${PLACE}, and Go could not build it. Install Go 1.20 or newer, or set STRIPE_MOCK to the program.`,
      { cause: error },
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
