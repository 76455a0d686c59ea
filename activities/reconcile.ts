/**
 * Activity `reconcile`: reads one page of each of a provider's listings and joins it with our intents.
 * A listed effect that does not fit is asked about by reference, and that answer is evidence like any
 * other: it opens a discrepancy on an ended intent, a conflict on an open one. Foreign effects are
 * counted and never touched. Idempotent: what a person has before them is not asked about again.
 */
import { log } from '@temporalio/activity';
import { type CommandKind } from '../domain/command';
import { effectOfReference } from '../domain/identity';
import { misfitOf } from '../domain/listed-effect';
import { isFinal } from '../domain/status';
import { findingFor } from '../domain/told-effect';
import { wakeSettlement } from '../orchestration/start-settlement';
import { type ListedEffect, type Provider } from '../providers/provider';
import { findListed, keepOrphan, type ListedIntent } from '../store/listed-intents';
import { leavePlace, type ListingPlace, takePlace } from '../store/listing-places';
import { recordFinding } from '../store/record-finding';
import { recordStanding } from '../store/record-standing';
import { type Dependencies, providerOf } from './dependencies';
import { askAbout } from './look-up';
import { whileBeating } from './while-beating';

/** A listing takes longer than a send may. */
const BUDGET_MS = 10_000;

/** Whose listings. */
export interface ReconcileRequest {
  readonly provider: string;
}

/** What a pass saw. */
export interface ReconcileResult {
  readonly listed: number;
  /** Under a reference that is none of ours, or unreadable. */
  readonly foreign: number;
  /** Under a reference of ours whose intent is not in this database; new ones only. */
  readonly orphans: number;
  /** Did not fit, and were asked about. */
  readonly asked: number;
  /** Another page waits. */
  readonly isMore: boolean;
}

/** Makes the activity. */
export function createReconcile(
  deps: Dependencies,
): (request: ReconcileRequest) => Promise<ReconcileResult> {
  return function reconcile(request) {
    return whileBeating(async () => {
      const provider = providerOf(deps.providers, request.provider);
      let sum: ReconcileResult = NOTHING;
      for (const kind of Object.keys(provider.contracts) as CommandKind[]) {
        sum = add(sum, await reconcileKind(deps, provider, kind));
      }
      return sum;
    });
  };
}

const NOTHING: ReconcileResult = { listed: 0, foreign: 0, orphans: 0, asked: 0, isMore: false };

function add(one: ReconcileResult, other: ReconcileResult): ReconcileResult {
  return {
    listed: one.listed + other.listed,
    foreign: one.foreign + other.foreign,
    orphans: one.orphans + other.orphans,
    asked: one.asked + other.asked,
    isMore: one.isMore || other.isMore,
  };
}

async function reconcileKind(
  deps: Dependencies,
  provider: Provider,
  kind: CommandKind,
): Promise<ReconcileResult> {
  const lookUp = provider.contracts[kind]?.lookUp;
  if (provider.listEffects === undefined || lookUp?.lists !== true) return NOTHING;
  const place = await takePlace(deps.pool, { provider: provider.name, kind }, lookUp.lagMs);
  const listing = await provider.listEffects({
    ...place,
    deadline: performance.now() + BUDGET_MS,
  });
  if (listing.kind === 'failed') {
    log.warn('a listing could not be read', { provider: provider.name, kind, why: listing.why });
    return NOTHING;
  }
  const { isSure, ...found } = await join(deps, place, listing.effects);
  // A question without an answer would be forgotten with its page: the page is read again.
  if (isSure) await leavePlace(deps.pool, place, listing.next);
  const foreign = found.foreign + listing.unreadable;
  return { ...found, foreign, isMore: isSure && listing.next !== null };
}

interface Joined {
  readonly listed: number;
  readonly foreign: number;
  readonly orphans: number;
  readonly asked: number;
  readonly isSure: boolean;
}

async function join(
  deps: Dependencies,
  place: ListingPlace,
  effects: readonly ListedEffect[],
): Promise<Joined> {
  const named = effects.flatMap((effect) => {
    const about = effect.reference === null ? null : effectOfReference(effect.reference);
    return about?.effect === 'apply' ? [{ effect, intentId: about.intentId }] : [];
  });
  const intents = await findListed(
    deps.pool,
    place.provider,
    named.map(({ intentId }) => intentId),
  );
  const known = new Map(intents.map((intent) => [intent.intentId, intent]));
  const answers = new Map<string, boolean>();
  let orphans = 0;
  for (const { effect, intentId } of named) {
    const intent = known.get(intentId);
    if (intent === undefined) orphans += await noteOrphan(deps, place, { effect, intentId });
    else if (!answers.has(intentId)) {
      const misfit = misfitOf(effect, intent);
      if (misfit !== null)
        answers.set(intentId, await clear(deps, place, { effect, intent, misfit }));
    }
  }
  return {
    listed: effects.length,
    foreign: effects.length - named.length,
    orphans,
    asked: answers.size,
    isSure: [...answers.values()].every(Boolean),
  };
}

interface Orphan {
  readonly effect: ListedEffect;
  readonly intentId: string;
}

async function noteOrphan(
  { pool }: Dependencies,
  { provider }: ListingPlace,
  { effect, intentId }: Orphan,
): Promise<number> {
  const { finding } = effect;
  if (finding.kind === 'rejected') return 0;
  const orphan = { provider, providerId: finding.providerId, about: intentId };
  if (!(await keepOrphan(pool, orphan))) return 0;
  log.error('an effect under a reference of ours has no intent', { ...orphan });
  return 1;
}

interface Misfit {
  readonly effect: ListedEffect;
  readonly intent: ListedIntent;
  readonly misfit: string;
}

/** Asks about it and records the answer; false where there was none. */
async function clear(
  deps: Dependencies,
  place: ListingPlace,
  { effect, intent, misfit }: Misfit,
): Promise<boolean> {
  const { intentId } = intent;
  log.warn('a listed effect does not fit its intent', { intentId, misfit });
  const recorded = await recordStanding(deps.pool, intentId);
  // Of a purged intent no question can be made any more; the listing is all there is.
  const journal =
    recorded.intent.params === null
      ? await recordFinding(deps.pool, {
          intentId,
          effect: 'apply',
          attempt: null,
          source: 'look_up',
          finding: findingFor(effect, intent),
          askedAt: place.askedAt,
        })
      : await askAbout(deps, recorded);
  if (!isFinal(journal.status)) await wakeSettlement(deps.client, intent);
  return journal.observations.at(-1)?.finding.kind !== 'unknown';
}
