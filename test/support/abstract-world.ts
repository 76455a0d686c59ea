/**
 * A small world around the real decision core: a provider with one of the contract shapes, a network
 * that loses and delays, a clock. Fates are drawn beforehand, so that a failure shrinks to a story.
 */
import { type ProviderContract } from '../../domain/contract';
import { decisionRefusal } from '../../domain/decision';
import {
  type Attempt,
  type DecisionKind,
  type Finding,
  type Journal,
  type Observation,
} from '../../domain/journal';
import { standing, type Standing } from '../../domain/standing';
import { isFinal } from '../../domain/status';
import { type Situation } from '../../domain/step';
import { APPLIED, DECLINED, LOST, NOT_SENT, PENDING } from './journal-of';

/** What happens to one send. Late ones land within the contract's horizon. */
export type SendFate =
  | 'answered'
  | 'answer-lost'
  | 'lost-before'
  | 'lands-late'
  | 'declined'
  | 'pending'
  | 'not-sent'
  | 'worker-dies-before'
  | 'worker-dies-after';

/** What happens to one look-up. */
export type LookUpFate = 'truth' | 'lost';

/** What operators decide, one after the other, whenever the intent waits for a person. */
export interface DecisionFate {
  readonly decision: DecisionKind;
  readonly override: boolean;
  /** How long they take. */
  readonly afterMs: number;
}

/** The drawn fates; when they run out the network is honest and nobody decides. */
export interface Fates {
  readonly sends: readonly SendFate[];
  readonly lookUps: readonly LookUpFate[];
  readonly decisions?: readonly DecisionFate[];
}

/** How the story ended, with the provider's own ledger. */
export interface Ending {
  readonly standing: Standing;
  readonly effects: number;
  readonly sends: readonly { readonly at: number; readonly generation: number }[];
  readonly steps: number;
}

interface Effect {
  readonly key: number;
  readonly at: number;
  readonly state: 'live' | 'declined' | 'pending';
}

const MOST_STEPS = 400;

/**
 * Plays one intent to its end (final, or in review). The world obeys `contract`; the rules decide by
 * `believed`, which is the same outside negative controls.
 */
export function play(
  contract: ProviderContract,
  fates: Fates,
  believed: ProviderContract = contract,
): Ending {
  const world = new World(contract, fates, believed);
  for (let steps = 1; steps <= MOST_STEPS; steps += 1) {
    const next = world.standing();
    if (isFinal(next.status)) return world.ending(next, steps);
    if (next.status === 'in_review') {
      if (!world.decide()) return world.ending(next, steps);
    } else world.take(next.step);
  }
  throw new Error('the rules went round in circles');
}

class World {
  private now = 0;
  private attempts: Attempt[] = [];
  private observations: Observation[] = [];
  private readonly ledger: Effect[] = [];
  private sendIndex = 0;
  private lookUpIndex = 0;
  private decisionIndex = 0;
  private readonly contract: ProviderContract;
  private readonly fates: Fates;
  private readonly believed: ProviderContract;

  constructor(contract: ProviderContract, fates: Fates, believed: ProviderContract) {
    this.contract = contract;
    this.fates = fates;
    this.believed = believed;
  }

  standing(): Standing {
    return standing(this.situation());
  }

  private situation(): Situation {
    const { believed: contract, now } = this;
    return { journal: this.journal(), contract, policy: { attemptCap: 3 }, now };
  }

  ending(next: Standing, steps: number): Ending {
    // Whatever is still on its way lands now: an outcome must hold in the end, too.
    const sends = this.attempts.map(({ openedAt: at, generation }) => ({ at, generation }));
    return { standing: next, effects: this.effects(), sends, steps };
  }

  take(step: Standing['step']): void {
    if (step.kind === 'send') this.send(step);
    else if (step.kind === 'look_up') this.lookUp();
    else if (step.kind === 'wait') this.now = Math.max(step.until, this.now + 1);
    else throw new Error(`unexpected ${step.kind}`);
  }

  /** An operator decides, if that is legal; false where nobody is left who would. */
  decide(): boolean {
    const fate = this.fates.decisions?.[this.decisionIndex++];
    if (fate === undefined) return false;
    this.now += fate.afterMs;
    const { decision, override } = fate;
    const situation = this.situation();
    if (decisionRefusal({ decision, override }, situation) !== null) return true;
    const finding: Finding = {
      kind: 'decided',
      decision,
      override,
      attempts: this.attempts.length,
      decisionId: `d-${this.decisionIndex}`,
    };
    this.observations.push({
      effect: 'apply',
      attempt: null,
      source: 'operator',
      finding,
      askedAt: this.now,
      observedAt: this.now,
    });
    return true;
  }

  private journal(): Journal {
    const { attempts, observations, now } = this;
    return {
      status: 'accepted',
      createdAt: 0,
      cancelRequestedAt: null,
      readAt: now,
      attempts,
      observations,
    };
  }

  private effects(): number {
    return this.ledger.filter((effect) => effect.state === 'live').length;
  }

  private send(step: { readonly number: number; readonly generation: number }): void {
    const { budgetMs } = this.contract.send;
    const attempt: Attempt = {
      effect: 'apply',
      number: step.number,
      generation: step.generation,
      openedAt: this.now,
      sendDeadline: this.now + budgetMs,
      verdict: null,
    };
    this.attempts.push(attempt);
    const fate = this.fates.sends[this.sendIndex++] ?? 'answered';
    const answer = this.perform(fate, attempt);
    if (answer === null) return;
    this.now = answer.after;
    this.observations.push({
      effect: 'apply',
      attempt: attempt.number,
      source: 'response',
      finding: answer.finding,
      askedAt: attempt.openedAt,
      observedAt: this.now,
    });
  }

  /** Null: the worker died and nobody heard anything. */
  private perform(fate: SendFate, attempt: Attempt): { finding: Finding; after: number } | null {
    const soon = attempt.openedAt + 10;
    const timeout = attempt.sendDeadline;
    const land = (at: number, state: Effect['state'] = 'live') => {
      return this.land({ key: attempt.generation, at, state });
    };
    switch (fate) {
      case 'answered':
        return { finding: findingOf(land(soon).state), after: soon };
      case 'answer-lost':
        land(soon);
        return { finding: LOST, after: timeout };
      case 'worker-dies-after':
        land(soon);
        return null;
      case 'lands-late':
        land(timeout + this.contract.send.horizonMs - 1);
        return { finding: LOST, after: timeout };
      case 'declined':
        return { finding: findingOf(land(soon, 'declined').state), after: soon };
      case 'pending':
        return { finding: findingOf(land(soon, 'pending').state), after: soon };
      case 'not-sent':
        return { finding: NOT_SENT, after: soon };
      case 'lost-before':
        return { finding: LOST, after: timeout };
      case 'worker-dies-before':
        return null;
    }
  }

  /** A provider with keys gives one effect, and one answer, per key. */
  private land(effect: Effect): Effect {
    const saved = this.contract.key && this.ledger.find((one) => one.key === effect.key);
    if (saved) return saved;
    this.ledger.push(effect);
    return effect;
  }

  private lookUp(): void {
    const fate = this.fates.lookUps[this.lookUpIndex++] ?? 'truth';
    const finding = fate === 'lost' ? LOST : this.truth();
    const asked = this.now;
    this.now += 5;
    this.observations.push({
      effect: 'apply',
      attempt: null,
      source: 'look_up',
      finding,
      askedAt: asked,
      observedAt: this.now,
    });
  }

  private truth(): Finding {
    const lag = this.contract.lookUp?.lagMs ?? 0;
    const visible = this.ledger.filter((effect) => effect.at + lag <= this.now);
    const live = visible.filter((effect) => effect.state !== 'declined');
    if (live.length > 1)
      return { kind: 'conflict', what: '2 effects under one reference', several: true };
    const [shown] = live.length > 0 ? live : visible;
    return shown === undefined ? { kind: 'absent' } : findingOf(shown.state);
  }
}

function findingOf(state: Effect['state']): Finding {
  return { live: APPLIED, declined: DECLINED, pending: PENDING }[state];
}

export const SEND_FATES: readonly SendFate[] = [
  'answered',
  'answer-lost',
  'lost-before',
  'lands-late',
  'declined',
  'pending',
  'not-sent',
  'worker-dies-before',
  'worker-dies-after',
];
