// A simulator on loopback for the tests, in this process, and the calls the tests make to it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';

import { readConfiguration } from '../../simulator/configuration';
import { startSimulator } from '../../simulator/start';

// The whole suite takes seconds; this is for machines that are busy with something else.
jest.setTimeout(60_000);

export const SECRET = `whsec_${Buffer.from('simulator-test-signing-key').toString('base64')}`;

/** Without lag, so that only a programmed fault can hide an effect. */
const CONTRACT = { 'sim-full': { look_up: { lag_ms: 0 } } };

export type Json = Record<string, unknown>;

/** What a client saw: an answer, or how the connection ended. */
export interface Seen {
  readonly status: number | 'reset' | 'closed' | 'silence' | 'refused';
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Json;
  readonly text: string;
}

export interface Options {
  readonly contract?: Json;
  readonly apiUrl?: string;
  readonly dataDir?: string;
}

export interface Ledger {
  readonly effects: readonly Json[];
  readonly calls: readonly Json[];
}

export interface Send {
  readonly key?: string;
  readonly body?: Json | string;
  /** Ends the client's patience; without it the client waits for 20 seconds. */
  readonly hangUpWhen?: (() => Promise<unknown>) | undefined;
}

/** A client of one simulator: its providers' face and its administration. */
export class Client {
  readonly #agent = new Agent({ pipelining: 0 });
  readonly face: string;
  readonly admin: string;

  constructor(ports: { readonly port: number; readonly adminPort: number }) {
    this.face = `http://127.0.0.1:${ports.port}`;
    this.admin = `http://127.0.0.1:${ports.adminPort}`;
  }

  async post(path: string, send: Send = {}): Promise<Seen> {
    const headers = send.key === undefined ? {} : { 'idempotency-key': send.key };
    const body = typeof send.body === 'string' ? send.body : JSON.stringify(send.body ?? {});
    return this.#see('POST', this.face + path, { ...send, headers, body });
  }

  async get(path: string, send: Pick<Send, 'hangUpWhen'> = {}): Promise<Seen> {
    return this.#see('GET', this.face + path, send);
  }

  async administer(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#see(method, `${this.admin}/_admin/${path}`, text);
  }

  /** Programmes a fault and insists that it was accepted. */
  async programme(fault: Json): Promise<void> {
    const { status, text } = await this.administer('POST', 'faults', fault);
    if (status !== 201) throw new Error(text);
  }

  async ledger(query = ''): Promise<Ledger> {
    const { body } = await this.administer('GET', `ledger${query}`);
    return body as unknown as Ledger;
  }

  /** Waits until the ledger has `count` calls under the filter. */
  async onRecord(query: string, count = 1): Promise<void> {
    await eventually(
      () => this.ledger(query),
      (ledger) => ledger.calls.length >= count,
    );
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #see(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    send: { headers?: Record<string, string>; body?: string } & Pick<Send, 'hangUpWhen'>,
  ): Promise<Seen> {
    const hangUp = new AbortController();
    void send.hangUpWhen?.().then(() => hangUp.abort());
    try {
      const response = await request(url, {
        method,
        dispatcher: this.#agent,
        headers: { 'content-type': 'application/json', ...send.headers },
        body: send.body ?? null,
        signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(20_000)]),
      });
      const text = await response.body.text();
      return { status: response.statusCode, headers: response.headers, text, body: parsed(text) };
    } catch (error) {
      return { status: ending(error), headers: {}, body: {}, text: '' };
    }
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

function ending(error: unknown): Exclude<Seen['status'], number> {
  // Node's own errors come from outside the test's realm, where instanceof does not reach.
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === 'AbortError') return 'silence';
  if (code === 'ECONNRESET') return 'reset';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'UND_ERR_SOCKET') return 'closed';
  throw error;
}

export interface UnderTest extends Client {
  stop(): Promise<void>;
}

/** Starts a simulator in this process on free ports with an empty ledger of its own. */
export async function startUnderTest(options: Options = {}): Promise<UnderTest> {
  const running = await startSimulator(readConfiguration(environment(options)));
  const client = new Client(running);
  const stop = async (): Promise<void> => {
    await client.close();
    await running.stop();
  };
  return Object.assign(client, { stop });
}

/** The environment of a simulator under test. */
export function environment(options: Options): Record<string, string> {
  return {
    PORT: '0',
    RESOLUTE_SIMULATOR_DATA_DIR: options.dataDir ?? freshDirectory(),
    RESOLUTE_SIMULATOR_CONTRACT: JSON.stringify(options.contract ?? CONTRACT),
    RESOLUTE_SIMULATOR_SIGNING_SECRET: SECRET,
    RESOLUTE_API_URL: options.apiUrl ?? 'http://127.0.0.1:9',
  };
}

const directories: string[] = [];
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true })));

/** An empty directory that is gone after the test file. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'resolute-simulator-'));
  directories.push(directory);
  return directory;
}

/** How long a call must have been on record without an answer to count as silent. */
const SILENT_MS = 80;

/** A `hangUpWhen` for calls that are never answered: received, and then nothing for a while. */
export function silentAfter(received: () => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    await received();
    await new Promise((resolve) => setTimeout(resolve, SILENT_MS));
  };
}

let charges = 0;

/** A charge body with a reference and a source of its own. */
export function aCharge(members: Json = {}): Json & { reference: string; source: string } {
  charges += 1;
  const named = { reference: `ref-${charges}`, source: `card_${charges}` };
  return { amount: 1000, currency: 'EUR', ...named, ...members };
}

/** Repeats a question until its answer will do; fails with the last one after `withinMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  willDo: (answer: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (willDo(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`never came true: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
