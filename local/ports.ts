/**
 * The ports of the stack, checked before anything is started, so that a taken port leaves nothing
 * behind to clean up.
 */
import { createServer } from 'node:net';
import { hasCode, readTextFile } from './json-file';
import { configurationError, messageOf, StartError } from './start-error';

export const LOOPBACK = '127.0.0.1';

/** A port that was asked for by a setting; 0 stands for any free one. */
export interface WantedPort {
  readonly variable: string;
  readonly port: number;
  /** What the port is for, where the variable alone does not say it. */
  readonly purpose?: string;
}

/** Turns wanted ports into real ones, in order; never gives one port twice. */
export async function choosePorts(wanted: readonly WantedPort[]): Promise<number[]> {
  const fixed = new Map<number, string>();
  for (const { variable, port } of wanted) {
    if (port === 0) continue;
    const other = fixed.get(port);
    if (other !== undefined) {
      throw configurationError(`${variable} and ${other} are both ${port}: choose two ports.`);
    }
    fixed.set(port, variable);
  }
  await Promise.all(wanted.filter(({ port }) => port !== 0).map(refuseTaken));
  const chosen: number[] = [];
  for (const { port } of wanted) {
    chosen.push(port === 0 ? await freePort([...fixed.keys(), ...chosen]) : port);
  }
  return chosen;
}

async function refuseTaken({ variable, port, purpose }: WantedPort): Promise<void> {
  const trouble = await troubleBinding(port);
  if (trouble === undefined) return;
  const why = hasCode(trouble, 'EADDRINUSE') ? 'already in use' : messageOf(trouble);
  throw new StartError(
    `${variable}: port ${port}${purpose === undefined ? '' : ` (${purpose})`} is not available (${why}). Set ${variable} to another port, or to 0 for any free one.`,
  );
}

/**
 * Free ports come from below the range that the system gives to outgoing connections. A port inside
 * it may be lent to some client while one of our servers restarts, and a client that keeps trying a
 * closed port in that range can even connect to itself.
 */
async function freePort(taken: readonly number[]): Promise<number> {
  const low = 10_240;
  const high = firstEphemeralPort() - 1;
  for (let tries = 0; tries < 200; tries += 1) {
    const port = low + Math.floor(Math.random() * (high - low));
    if (!taken.includes(port) && (await troubleBinding(port)) === undefined) return port;
  }
  throw new StartError(`No free port was found between ${low} and ${high}.`);
}

function firstEphemeralPort(): number {
  const text = readTextFile('/proc/sys/net/ipv4/ip_local_port_range');
  const first = Number(text?.split(/\s/)[0]);
  return first >= 12_000 ? first : 32_768;
}

function troubleBinding(port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.close(() => resolve(undefined));
    });
  });
}
