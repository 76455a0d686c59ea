/** The simulator's administration as tests use it: faults in, ledger out. */
import { request } from 'undici';

/** One line of the ledger that counts as an effect. */
export interface LedgerEffect {
  readonly id: string;
  readonly kind: 'charge' | 'void' | 'refund' | 'message';
  readonly provider: string;
  readonly reference: string;
  readonly source: string;
  /** Minor units and currency; null for a message. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly status: string;
}

/** One call as the provider saw it. */
export interface LedgerCall {
  readonly call: string;
  readonly provider: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly source?: string | null;
  readonly amount?: number | null;
  /** When it was received, ISO 8601. */
  readonly at: string;
  readonly behaviour: string;
}

/** Effects and calls, oldest first. */
export interface Ledger {
  readonly effects: readonly LedgerEffect[];
  readonly calls: readonly LedgerCall[];
}

/** A fault to programme; see docs/simulator.md. */
export interface Fault {
  readonly on: 'charge' | 'void' | 'refund' | 'message' | 'query' | 'any';
  readonly do: string;
  readonly times?: number | 'always';
  readonly delay_ms?: number;
  readonly retry_after_s?: number;
  readonly visible_after_ms?: number;
  readonly emit?: 'webhook-before-response' | 'webhook-with-response';
  readonly match?: {
    readonly provider?: string;
    readonly amount?: number;
    readonly source?: string;
  };
}

/** A notification to send; see docs/simulator.md. */
export interface Telling {
  /** Our reference, or the provider's id of the effect. */
  readonly about: string;
  readonly type?: string;
  readonly event_id?: string;
  readonly times?: number;
  readonly parallel?: boolean;
  readonly signature?: 'valid' | 'forged' | 'stale';
  readonly amount?: number;
  readonly provider?: string;
}

/** Talks to the administration at `url`. */
export function simulatorClient(url: string) {
  return {
    async programme(fault: Fault): Promise<void> {
      const { statusCode, body } = await request(`${url}/_admin/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      if (statusCode >= 300) throw new Error(`fault refused: ${await body.text()}`);
      await body.dump();
    },
    /** Sends notifications to the gateway; what it answered to each. */
    async tell(telling: Telling): Promise<readonly number[]> {
      const { statusCode, body } = await request(`${url}/_admin/notifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(telling),
      });
      if (statusCode >= 300) throw new Error(`not told: ${await body.text()}`);
      const { deliveries } = (await body.json()) as {
        readonly deliveries: readonly { readonly status: number }[];
      };
      return deliveries.map(({ status }) => status);
    },
    /** Takes back what is left of the programme. */
    async forgetFaults(): Promise<void> {
      const { body } = await request(`${url}/_admin/faults`, { method: 'DELETE' });
      await body.dump();
    },
    /** Ends a pending charge as the provider would; the notification itself need not arrive. */
    async settlePending(chargeId: string): Promise<void> {
      const { statusCode, body } = await request(`${url}/_admin/notifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ about: chargeId, type: 'charge.succeeded' }),
      });
      if (statusCode >= 300) throw new Error(`not settled: ${await body.text()}`);
      await body.dump();
    },
    /** Standing behaviour; see docs/simulator.md. */
    async settings(settings: Readonly<Record<string, unknown>>): Promise<void> {
      const { statusCode, body } = await request(`${url}/_admin/settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      if (statusCode >= 300) throw new Error(`settings refused: ${await body.text()}`);
      await body.dump();
    },
    /** Everything that ever happened. */
    async wholeLedger(): Promise<Ledger> {
      const { body } = await request(`${url}/_admin/ledger`);
      return (await body.json()) as Ledger;
    },
    /** What really happened for one payer's instrument. */
    async ledger(source: string): Promise<Ledger> {
      const { body } = await request(`${url}/_admin/ledger?source=${encodeURIComponent(source)}`);
      return (await body.json()) as Ledger;
    },
  };
}
