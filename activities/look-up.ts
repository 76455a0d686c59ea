/**
 * Activity `lookUp`: asks the provider what became of the effect and records the answer. The question
 * is dated by the database's clock before it leaves; only that date can make a miss a proof.
 */
import { type Attempt, type Finding, type Journal } from '../domain/journal';
import { mayAskForReader } from '../domain/reader';
import { type Standing } from '../domain/standing';
import { isFinal } from '../domain/status';
import { type Situation } from '../domain/step';
import { providerKey, providerReference } from '../domain/identity';
import { commandOf } from '../operations/registry';
import { type Inquiry } from '../providers/provider';
import { recordFinding } from '../store/record-finding';
import { recordStanding, type Recorded } from '../store/record-standing';
import { type Dependencies, providerOf } from './dependencies';
import { whileBeating } from './while-beating';

/** Whom to ask about. */
export interface LookUpRequest {
  readonly intentId: string;
  readonly provider: string;
  /** An operator asked for it: the schedule does not matter. */
  readonly asked?: boolean;
  /** Somebody read the intent: the schedule does not matter, the contract's time for readers does. */
  readonly wasRead?: boolean;
}

/** Makes the activity. It returns the journal, whether it asked or not. */
export function createLookUp(deps: Dependencies): (request: LookUpRequest) => Promise<Journal> {
  return function lookUp({ intentId, asked = false, wasRead = false }) {
    return whileBeating(async () => {
      const recorded = await recordStanding(deps.pool, intentId);
      const { standing, journal } = recorded;
      const outOfTurn = asked || (wasRead && mayAskForReader(situationOf(recorded), standing));
      const wanted = isDue(standing, journal.readAt) || (outOfTurn && canAsk(recorded));
      return wanted ? askAbout(deps, recorded) : journal;
    });
  };
}

/** A stale or second run may find that there is nothing to ask any more, or not yet. */
function isDue({ step }: Standing, now: number): boolean {
  if (step.kind === 'review') return step.lookUpAt !== null && step.lookUpAt <= now;
  return step.kind === 'look_up';
}

function situationOf({ intent, journal }: Recorded): Situation {
  return { journal, contract: intent.contract, policy: intent.policy, now: journal.readAt };
}

/** Asking out of turn does no harm, as long as there is something to ask about. */
function canAsk({ intent, journal }: Recorded): boolean {
  return intent.contract.lookUp !== null && journal.attempts.length > 0 && !isFinal(journal.status);
}

/** Asks now and records the answer as the last observation; the provider must have a look-up. */
export async function askAbout(
  deps: Dependencies,
  { intent, journal }: Recorded,
): Promise<Journal> {
  const effect = 'apply';
  const sends = journal.attempts.filter((one) => one.effect === effect);
  const generation = sends.at(-1)?.generation ?? 1;
  const provider = providerOf(deps.providers, intent.provider);
  const ask = () =>
    provider.lookUp(commandOf(deps.operations, intent), {
      providerKey: providerKey(intent.id, effect, generation),
      reference: providerReference(intent.id, effect),
      sent: sentWithin(sends, journal.readAt),
      deadline: performance.now() + intent.contract.send.budgetMs,
    });
  // Another account's books say nothing about it, however they answer: above all not that it is absent.
  const finding =
    provider.account === intent.providerAccount
      ? await deps.metrics.timed({ provider: provider.name, call: 'look_up' }, ask)
      : ELSEWHERE;
  deps.probe('look-up-answered');
  return recordFinding(deps.pool, {
    intentId: intent.id,
    effect,
    attempt: null,
    source: 'look_up',
    finding,
    askedAt: journal.readAt,
  });
}

const ELSEWHERE: Finding = {
  kind: 'unknown',
  why: 'this worker has the credentials of another account',
  frozen: false,
};

/** When the effect may have been asked for; a look-up before any attempt finds an empty time. */
function sentWithin(sends: readonly Attempt[], now: number): Inquiry['sent'] {
  return {
    from: sends[0]?.openedAt ?? now,
    until: sends.at(-1)?.sendDeadline ?? now,
  };
}
