/**
 * What a public case needs on the shared stack: a caller, a programmed provider, and the provider's
 * ledger as the oracle. One source a case: by it faults are matched and the ledger is read.
 */
import pg from 'pg';
import { endsTheWait, type Status } from '../../domain/status';
import { providerReference } from '../../domain/identity';
import { charge, exchange, type Reply } from './intent-client';
import { sharedStack } from './shared-stack';
import { type Fault, simulatorClient } from './simulator-client';
import { until } from './until';

/** What was really done and asked at the provider. */
interface Told {
  /** `charge succeeded`, `charge voided`, `refund succeeded`…, oldest first. */
  readonly effects: readonly string[];
  /** Requests to charge, and the different keys that they carried. */
  readonly charges: number;
  readonly keys: number;
  readonly queries: number;
}

/** An intent as it is read. */
export type Intent = Readonly<Record<string, unknown>> & { readonly id: string };

/** A stage for cases, as the demo tenant `acme`. */
export function caseStage() {
  const { ready } = sharedStack();
  const { api } = ready;
  const { token } = ready.tenants.acme;
  const simulator = simulatorClient(ready.simulator_admin);

  const read = async (id: string): Promise<Intent> =>
    (await exchange(`${api}/v1/intents/${id}`, { token })).body as Intent;

  return {
    api,
    token,
    simulator,
    read,
    /** Programmes the calls of one source, first in first out. */
    async programme(source: string, ...faults: readonly Fault[]): Promise<void> {
      for (const fault of faults) await simulator.programme({ ...fault, match: { source } });
    },
    /** Charges 10.00 EUR under the source as key and reference, unless told otherwise. */
    post(source: string, wish: Wish = {}): Promise<Reply> {
      const { key = source, reference = source, provider = 'sim-full', wait = 20 } = wish;
      return charge(api, { source, reference, provider }, { token, key, wait });
    },
    /** The intent in its outcome or in review. */
    ended: (reply: Reply): Promise<Intent> =>
      until(`${idOf(reply)} ends`, async () => {
        const intent = await read(idOf(reply));
        return endsTheWait(intent['status'] as Status) ? intent : undefined;
      }),
    /** Waits for a status on the way. */
    reached: (reply: Reply, status: Status): Promise<Intent> =>
      until(`${idOf(reply)} is ${status}`, async () => {
        const intent = await read(idOf(reply));
        return intent['status'] === status ? intent : undefined;
      }),
    cancel: (reply: Reply, wait = 30): Promise<Reply> =>
      exchange(`${api}/v1/intents/${idOf(reply)}/cancel`, {
        token,
        method: 'POST',
        headers: { prefer: `wait=${wait}` },
      }),
    /** Tells the gateway that the charge succeeded, as its provider would. */
    tell: (reply: Reply, eventId: string): Promise<readonly number[]> =>
      simulator.tell({ about: providerReference(idOf(reply), 'apply'), event_id: eventId }),
    called: (source: string): Promise<true> =>
      until('the provider was called', async () =>
        (await simulator.ledger(source)).calls.length > 0 ? true : undefined,
      ),
    async told(source: string): Promise<Told> {
      const { effects, calls } = await simulator.ledger(source);
      const charges = calls.filter(({ call }) => call === 'charge');
      return {
        effects: effects.map(({ kind, status }) => `${kind} ${status}`),
        charges: charges.length,
        keys: new Set(charges.map(({ key }) => key)).size,
        queries: calls.filter(({ call }) => call === 'query').length,
      };
    },
  };
}

interface Wish {
  readonly key?: string;
  readonly reference?: string;
  readonly provider?: string;
  readonly wait?: number;
}

/** The id of an intent that is answered or attached to a problem. */
export function idOf({ body }: Reply): string {
  const intent = (body['intent'] ?? body) as { readonly id: string };
  return intent.id;
}

/** How often the outbox tells that the intent ended so: what a wallet would be credited by. */
export async function announced(intent: string, ...outcomes: readonly Status[]): Promise<number> {
  const db = new pg.Client({ connectionString: sharedStack().ready.database });
  await db.connect();
  const { rowCount } = await db.query(
    'select from intent_events where intent = $1 and type = any ($2)',
    [intent, outcomes.map((outcome) => `resolute.intent.${outcome}`)],
  );
  await db.end();
  return rowCount ?? 0;
}

/** A request of `acme` whose caller leaves as soon as `left` is kept; its answer is lost. */
export async function losesItsAnswer(
  send: (signal: AbortSignal) => Promise<unknown>,
  left: Promise<unknown>,
): Promise<void> {
  const leaving = new AbortController();
  const sent = send(leaving.signal).catch(() => undefined);
  await left;
  leaving.abort();
  await sent;
}
