/**
 * A fresh embedded stack with its callers, operators and the provider's ledger, for one rehearsal or for
 * several that leave it standing. It remembers every key that was used, and compares the books at the end.
 */
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { administrate } from '../campaign/administrate';
import { readBooks } from '../campaign/books';
import { check } from '../campaign/check';
import { type Finding } from '../campaign/facts';
import { readReady, type Ready, type RunningStack, startStack } from '../local/ready';
import type { ProcessName } from '../local/supervised-program';
import { REHEARSAL_CONTRACTS } from './contracts';
import { type Answer, ask } from './http';
import { PATIENCE_MS } from './rehearsal';
import { until } from '../local/until';

/** A charge, by a name of which key, payer and order are made. */
export interface Charge {
  readonly name: string;
  readonly provider?: string;
  readonly amount?: number;
  /** How long the caller waits, in seconds. */
  readonly wait?: number;
}

/** An effect in the provider's ledger. */
export interface Effect {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly status: string;
}

type Contracts = Readonly<Record<string, unknown>>;

const SETTLE_MS = 60_000;

export class Stage {
  readonly dataDirectory: string;
  readonly #say: (line: string) => void;
  readonly #told = new Map<string, string | null>();
  #stack: RunningStack;

  private constructor(stack: RunningStack, say: (line: string) => void) {
    this.#stack = stack;
    this.#say = say;
    this.dataDirectory = stack.dataDirectory;
  }

  static async open(say: (line: string) => void): Promise<Stage> {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'resolute-rehearsal-'));
    return new Stage(await startStack({ dataDirectory, contract: REHEARSAL_CONTRACTS }), say);
  }

  /** One line of what was seen. */
  say(line: string): void {
    this.#say(line);
  }

  get ready(): Ready {
    return readReady(this.dataDirectory) ?? this.#stack.ready;
  }

  /** Stops the stack, does `between`, and starts it again on the same data. */
  async restart(
    between: () => Promise<void> = () => Promise.resolve(),
    contract: Contracts = REHEARSAL_CONTRACTS,
  ): Promise<void> {
    await this.#stack.stop();
    await between();
    this.#stack = await startStack({ dataDirectory: this.dataDirectory, contract });
  }

  async close(): Promise<void> {
    await this.#stack.stop();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  signal(process_: ProcessName, signal: NodeJS.Signals): void {
    process.kill(this.ready.pids[process_], signal);
  }

  /** Asks once, under the key that belongs to the name. */
  async charge({ name, provider, amount = 1_000, wait = 10 }: Charge): Promise<Answer | null> {
    const key = `key-${name}`;
    const answer = await ask(`${this.ready.api}/v1/intents/payment.charge`, {
      token: this.ready.tenants.acme.token,
      method: 'POST',
      headers: { 'idempotency-key': key, prefer: `wait=${wait}` },
      body: { ...this.parameters(name), amount, currency: 'EUR', ...(provider && { provider }) },
    });
    // A refusal for another one's sake shows the other one.
    const isOwn = answer?.problem !== 'business-key-taken';
    const told = isOwn ? (answer?.intent?.id ?? null) : null;
    this.#told.set(key, told ?? this.#told.get(key) ?? null);
    return answer;
  }

  parameters(name: string) {
    return { source: `card_${name}`, reference: `order-${name}` };
  }

  /** The same key again, as callers do, until it has one of these statuses. */
  untilStatus(charge: Charge, ...statuses: readonly string[]): Promise<Answer> {
    return until(
      `${charge.name} is ${statuses.join(' or ')}`,
      async () => {
        const answer = await this.charge({ wait: 1, ...charge });
        const status = answer?.intent?.status ?? '';
        return answer !== null && statuses.includes(status) ? answer : undefined;
      },
      PATIENCE_MS,
    );
  }

  /** Asks as an operator; with a body it is a POST. */
  async operate(path: string, body?: unknown): Promise<Answer> {
    const answer = await ask(`${this.ready.api}${path}`, {
      token: this.ready.operators.olive.token,
      ...(body !== undefined && { method: 'POST' as const, body }),
    });
    if (answer === null) throw new Error(`the gateway did not answer ${path}`);
    return answer;
  }

  /** Programmes a fault for the calls of one charge. */
  async fault(name: string, fault: Readonly<Record<string, unknown>>): Promise<void> {
    const order = { ...fault, match: { source: `card_${name}` } };
    await administrate(this, { path: 'faults', method: 'POST', order });
  }

  /** Tells the simulator: settings (PUT) or a notification to send (POST). */
  tell(path: 'settings' | 'notifications', order: unknown): Promise<unknown> {
    return administrate(this, { path, method: path === 'settings' ? 'PUT' : 'POST', order });
  }

  /** What really happened to one payer. */
  async effects(name: string): Promise<readonly Effect[]> {
    const path = `ledger?source=card_${name}`;
    const { effects } = (await administrate(this, { path, method: 'GET' })) as {
      readonly effects: readonly Effect[];
    };
    return effects;
  }

  /**
   * PostgreSQL, ledger and Temporal tell one story: nothing doubled, lost, wrongly ended or without an
   * owner. Temporal's list lags a little, so it is compared until it agrees.
   */
  async compareBooks(): Promise<void> {
    const end = Date.now() + SETTLE_MS;
    for (;;) {
      const findings = await this.#findings();
      if (findings.length === 0) {
        this.say(`  books: ${this.#told.size} keys so far, nothing doubled, lost or wrongly ended`);
        return;
      }
      if (Date.now() > end) throw new Error(findings.map((one) => one.about).join('\n'));
      await pause(500);
    }
  }

  async #findings(): Promise<readonly Finding[]> {
    const answers = [...this.#told].map(([key, intent]) => ({ key, intent }));
    return check(await readBooks(this.ready, { keys: answers, answers, refusals: [] }));
  }
}

/** States what must hold; a rehearsal that meets something else ends here. */
export function must(what: string, holds: boolean): void {
  if (!holds) throw new Error(`not as the runbook says: ${what}`);
}
