/** The command lines of the page, run as a person runs them: built programs, real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { DIST } from '../local/project-root';
import { type Ready } from '../local/ready';
import { createPool, type Pool } from '../store/pool';

/** How a program ended, and what it wrote. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program of dist/ to its end and returns what it wrote. Throws where it fails. */
export async function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, out, err } = await toEnd(script, args, environment);
  if (code === 0) return out;
  throw new Error(`${script} ${args.join(' ')} ended with ${code ?? 'a signal'}: ${err}${out}`);
}

async function toEnd(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(DIST, script), ...args], {
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, err] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

/** `npm run resolute -- … --json`, as the owner of the tables. */
export async function resolute(
  { database }: Pick<Ready, 'database'>,
  ...args: readonly string[]
): Promise<unknown> {
  const out = await run('cli/main.js', [...args, '--json'], { DATABASE_URL: database });
  return JSON.parse(out) as unknown;
}

/** `npm run resolute -- … --json` as an operator: through the gateway, with a token. */
export async function desk(
  { api, operators }: Pick<Ready, 'api' | 'operators'>,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly answer: unknown; readonly err: string }> {
  const { code, out, err } = await toEnd('cli/main.js', [...args, '--json'], {
    RESOLUTE_API_URL: api,
    RESOLUTE_OPERATOR_TOKEN: operators.olive.token,
  });
  return { code, answer: out === '' ? null : (JSON.parse(out) as unknown), err };
}

/** SQL as the owner, as in `psql`. */
export async function inDatabase<Result>(
  { database: url }: Ready,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({ url, name: 'rehearsal', size: 1, onIdleError: () => undefined });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** What `temporal workflow …` does. */
export async function inTemporal<Result>(
  { temporal }: Ready,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    return await work(new Client({ connection, namespace: temporal.namespace }));
  } finally {
    await connection.close();
  }
}
