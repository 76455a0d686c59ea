/** Journals, contracts and observations for tests, in seconds for readability. */
import {
  type KeyContract,
  type LookUpContract,
  type NameContract,
  type ProviderContract,
} from '../../domain/contract';
import {
  type Attempt,
  type Decided,
  type DecisionKind,
  type Finding,
  type Journal,
  type Observation,
  type Source,
} from '../../domain/journal';
import { type Situation } from '../../domain/step';

export const NAME: NameContract = { maxBytes: 255, alphabet: '!-~' };
export const KEY: KeyContract = {
  ...NAME,
  scope: 'account',
  onMismatch: 'refuses',
  windowMs: 86_400_000,
  savesRejections: true,
};
export const LOOK_UP: LookUpContract = {
  by: 'reference',
  lagMs: 1_000,
  absenceIsProof: true,
  seesBackMs: 'forever',
  scheduleMs: [200, 500, 1_000, 2_000, 5_000],
};

/** A contract with every safety; tests take away what they are about. */
export const FULL: ProviderContract = {
  version: 1,
  key: KEY,
  reference: NAME,
  lookUp: LOOK_UP,
  send: { budgetMs: 2_000, horizonMs: 1_000, mayRepeat: false },
  notifications: true,
  revert: true,
  patienceMs: 120_000,
};
export const LOOK_UP_ONLY: ProviderContract = { ...FULL, key: null };
export const KEY_ONLY: ProviderContract = { ...FULL, lookUp: null, notifications: false };
export const BLIND: ProviderContract = { ...KEY_ONLY, key: null };

export const APPLIED: Finding = { kind: 'applied', providerId: 'ch_1' };
export const PENDING: Finding = { kind: 'pending', providerId: 'ch_1' };
export const ABSENT: Finding = { kind: 'absent' };
export const LOST: Finding = { kind: 'unknown', why: 'no answer in time', frozen: false };
export const FROZEN: Finding = { kind: 'unknown', why: 'answer 500', frozen: true };
export const NOT_SENT: Finding = { kind: 'not_sent', why: 'no connection', retryAfterMs: null };
export const DECLINED: Finding = { kind: 'rejected', code: 'card_declined', declined: true };

/** An attempt opened at `second`, with the budget of {@link FULL}. */
export function attempt(number: number, second: number, more: Partial<Attempt> = {}): Attempt {
  return {
    effect: 'apply',
    number,
    generation: 1,
    openedAt: second * 1_000,
    sendDeadline: second * 1_000 + FULL.send.budgetMs,
    verdict: null,
    ...more,
  };
}

/** The answer to an attempt, heard at `second`. */
export function answer(to: Attempt, second: number, finding: Finding): Observation {
  return seen('response', finding, { attempt: to.number, asked: to.openedAt / 1_000, at: second });
}

/** A look-up asked and answered at `second`. */
export function lookUp(second: number, finding: Finding): Observation {
  return seen('look_up', finding, { attempt: null, asked: second, at: second });
}

/** A decision made and effective at `second`, about the attempts up to number `attempts`. */
export function decided(
  second: number,
  decision: DecisionKind,
  more: Partial<Decided> = {},
): Observation {
  const finding: Decided = {
    kind: 'decided',
    decision,
    override: false,
    attempts: 1,
    decisionId: `d-${second}`,
    ...more,
  };
  return seen('operator', finding, { attempt: null, asked: second, at: second });
}

interface When {
  readonly attempt: number | null;
  readonly asked: number;
  readonly at: number;
}

export function seen(source: Source, finding: Finding, when: When): Observation {
  return {
    effect: 'apply',
    attempt: when.attempt,
    source,
    finding,
    askedAt: when.asked * 1_000,
    observedAt: when.at * 1_000,
  };
}

export function journal(
  attempts: readonly Attempt[],
  observations: readonly Observation[] = [],
): Journal {
  return {
    status: 'accepted',
    createdAt: 0,
    cancelRequestedAt: null,
    readAt: 0,
    attempts,
    observations,
  };
}

/** The situation at `second` under `contract`, with a cap of three attempts. */
export function at(second: number, contract: ProviderContract, of: Journal): Situation {
  return { journal: of, contract, policy: { attemptCap: 3 }, now: second * 1_000 };
}

/** The first attempt, opened at 0; and that its answer was lost, heard at 2. */
export const first = attempt(1, 0);
export const lost = answer(first, 2, LOST);

/** The situation at `second` of an intent whose first answer was lost. */
export function lostAt(
  second: number,
  contract: ProviderContract,
  ...more: readonly Observation[]
): Situation {
  return at(second, contract, journal([first], [lost, ...more]));
}
