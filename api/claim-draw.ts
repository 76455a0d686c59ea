/**
 * Claims an identity for an operation that draws on an earlier intent (a refund on its charge). What is
 * read here is for the answer; the store decides, under the row lock.
 */
import { type Operation } from '../operations/operation';
import { formatMoney } from '../operations/currency';
import { type IntentRow } from '../store/intent-row';
import { readIntent } from '../store/read-intents';
import { recordDraw } from '../store/record-draw';
import { type Recorded } from '../store/record-intent';
import { type Gateway } from './gateway';
import { type IntentRequest, newIntent } from './new-intent';
import { Problem, type ProblemName } from './problem';

/** A request and the keyed digest of its idempotency key. */
export interface Claim {
  readonly request: IntentRequest;
  readonly keyDigest: Buffer;
}

/** Nothing was recorded; `intent` is the one that cannot be drawn on, or not that much. */
export interface NotDrawn {
  readonly kind: 'not_drawn';
  readonly intent: IntentRow;
  readonly problem: ProblemName;
  readonly detail: string;
}

type Draws = NonNullable<Operation['draws']>;

/**
 * Claims it, or says why not; finds its holder where a twin was quicker. Throws 404 where there is nothing
 * to draw on.
 */
export async function claimDraw(
  gateway: Gateway,
  { request, keyDigest }: Claim,
  draws: Draws,
): Promise<Recorded | NotDrawn> {
  const { operation, params } = request;
  const found = await drawnOn(gateway, request, draws);
  const contract = gateway.providers.get(found.provider)?.contracts[operation.commandKind];
  const { providerId, currency } = found;
  if (contract === undefined || providerId === null || currency === null || !mayBeDrawnOn(found)) {
    return refused(found, draws, whyNot(found, operation));
  }
  const money = operation.money(params, { currency, providerId });
  const { fingerprints } = gateway;
  const { provider, providerAccount } = found;
  const resolved = { provider, providerAccount, contract, keyDigest, fingerprints, money };
  const drawsOn = { intent: found.id, providerId };
  const recorded = await recordDraw(gateway.db, { ...newIntent(request, resolved), drawsOn });
  if (recorded.kind === 'exceeds') {
    return exceeded(found, draws, formatMoney(recorded.rest, currency));
  }
  if (recorded.kind !== 'not_drawable') return recorded;
  // It changed since it was read; the present row says why.
  const present = await drawnOn(gateway, request, draws);
  return refused(present, draws, whyNot(present, operation));
}

/** Another tenant's intent, one that never was, and one of another kind look alike. */
async function drawnOn(
  { db, operations }: Gateway,
  { caller, params }: IntentRequest,
  draws: Draws,
): Promise<IntentRow> {
  const intent = await readIntent(db, draws.intent(params), { tenant: caller.tenant });
  const kind = intent && operations.get(intent.operation)?.commandKind;
  if (intent === null || kind !== draws.on) throw new Problem('not-found');
  return intent;
}

function mayBeDrawnOn({ status, discrepancySince }: IntentRow): boolean {
  return status === 'succeeded' && discrepancySince === null;
}

/** A clause for the caller. */
function whyNot(intent: IntentRow, operation: Operation): string {
  if (intent.status !== 'succeeded') return `it is ${intent.status}`;
  if (intent.discrepancyClosedAt !== null) {
    return 'evidence contradicts its outcome, and a person found it to be right';
  }
  if (intent.discrepancySince !== null) {
    return 'evidence contradicts its outcome, and a person must find out first';
  }
  if (intent.currency === null) return 'it is not about money';
  if (intent.providerId === null) return 'its id at the provider is not known';
  return `its provider does not serve ${operation.name}`;
}

function refused(intent: IntentRow, draws: Draws, why: string): NotDrawn {
  const { problem } = draws.refused;
  return { kind: 'not_drawn', intent, problem, detail: draws.refused.detail(why) };
}

function exceeded(intent: IntentRow, draws: Draws, rest: string): NotDrawn {
  const { problem } = draws.exceeded;
  const detail = draws.exceeded.detail(rest);
  return { kind: 'not_drawn', intent, problem, detail };
}
