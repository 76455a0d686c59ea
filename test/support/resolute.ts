/** The command line, as a person runs it: the built program, a real process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DIST } from '../../local/project-root';

/** How a run ended, and what it wrote. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command against a database, to its end. */
export function resolute(databaseUrl: string, ...args: readonly string[]): Promise<Run> {
  return run({ DATABASE_URL: databaseUrl }, args);
}

/** An operator at a screen: the gateway's address and a token, and no database. */
export function operatorAtScreen(api: string, token: string) {
  return (...args: readonly string[]): Promise<Run> =>
    run({ DATABASE_URL: '', RESOLUTE_API_URL: api, RESOLUTE_OPERATOR_TOKEN: token }, args);
}

async function run(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Run> {
  const child = spawn(process.execPath, [join(DIST, 'cli', 'main.js'), ...args], {
    env: { ...process.env, ...environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

/** The JSON that a command answers; fails where the command does. */
export async function resoluteJson<Answer>(
  databaseUrl: string,
  ...args: readonly string[]
): Promise<Answer> {
  const { code, stdout, stderr } = await resolute(databaseUrl, ...args, '--json');
  if (code !== 0) throw new Error(`resolute ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}
