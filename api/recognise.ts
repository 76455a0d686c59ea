/**
 * Who asks, and what does their key already name: one round trip to the store instead of two, since the
 * gateway remembers whose a token was. That is a guess about where to look and no more. The database
 * tells on every request whether the token is valid and whose it is, and shows that tenant's rows alone;
 * where the guess is wrong the look counts for nothing and is made again.
 *
 * Requests that arrive in the same turn of the event loop are recognised by one trip together: where many
 * come, the trips cost more than what they ask. Each has its own statements in it and sees its own tenant's
 * rows (store/query-as.ts); where the trip fails, each is answered 503, as alone.
 */
import DataLoader from 'dataloader';
import { type FastifyRequest } from 'fastify';
import { type Operation } from '../operations/operation';
import {
  type Ask,
  findCaller,
  findCallersAndIntents,
  type CallerAndIntent,
} from '../store/callers';
import { type IntentRow } from '../store/intent-row';
import { admit, tokenOf } from './authenticate';
import { type Gateway } from './gateway';
import { digestKey, findIdempotencyKey } from './idempotency-key';

/** Short enough that the trip of others delays nobody noticeably. */
const MOST_TOGETHER = 32;

/** More tokens than call one process; beyond it the oldest guesses are forgotten. */
const MOST_REMEMBERED = 10_000;

/** What was found before the request's body was read. */
export interface Recognised {
  /** Keyed digest of the idempotency key. */
  readonly keyDigest: Buffer;
  /** Whom the identity names; null: nobody yet. */
  readonly intent: IntentRow | null;
}

const recognised = new WeakMap<FastifyRequest, Recognised>();

/** What was found; undefined where nobody has looked. */
export function recognisedIntent(request: FastifyRequest): Recognised | undefined {
  return recognised.get(request);
}

/** The hook of an operation: lets only holders of a valid token pass, and looks for their intent. */
export function recogniser(gateway: Gateway) {
  const tenants = new Map<string, string>();
  const looks = new DataLoader<Ask, CallerAndIntent>(
    (asks) => findCallersAndIntents(gateway.db, asks),
    {
      // Nothing is remembered: each request is asked about.
      cache: false,
      maxBatchSize: MOST_TOGETHER,
      // Once all requests that have arrived by now were read.
      batchScheduleFn: setImmediate,
    },
  );

  return (operation: Operation) =>
    async function recognise(request: FastifyRequest): Promise<void> {
      const token = await tokenOf(request, gateway);
      const tenant = tenants.get(token.toString('latin1'));
      // A key that is malformed is refused later, in its turn.
      const key = tenant === undefined ? null : findIdempotencyKey(request.raw.rawHeaders);
      if (tenant === undefined || key === null) {
        const caller = await findCaller(gateway.db, token);
        admit(request, caller);
        if (caller?.tenant) remember(tenants, token.toString('latin1'), caller.tenant);
        return;
      }
      const named = { tenant, operation: operation.name, key };
      const keyDigest = digestKey(gateway.keyDigestSecret, named);
      const { caller, existing } = await looks.load({ token, identity: { ...named, keyDigest } });
      admit(request, caller);
      if (caller?.tenant === tenant) recognised.set(request, { keyDigest, intent: existing });
    };
}

function remember(tenants: Map<string, string>, token: string, tenant: string): void {
  tenants.set(token, tenant);
  if (tenants.size <= MOST_REMEMBERED) return;
  const [oldest] = tenants.keys();
  if (oldest !== undefined) tenants.delete(oldest);
}
