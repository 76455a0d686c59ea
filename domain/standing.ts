/**
 * Where an intent stands: belief, next step, and the status and words that follow from them. The one
 * place that turns evidence into a status; the store writes what it says and nothing else.
 */
import { assess, type Belief } from './assess';
import { assessRevert } from './assess-revert';
import { wordsFor } from './contradictions';
import { nextStep } from './next-step';
import { type Situation, type Step } from './step';
import { type Status } from './status';

/** Everything that follows from a journal at one moment. */
export interface Standing {
  readonly belief: Belief;
  readonly step: Step;
  readonly status: Status;
  /** One sentence for callers and operators. */
  readonly reason: string;
  /** When the engine acts next, on the database's clock in milliseconds; null where it cannot. */
  readonly nextStepAt: number | null;
}

/** Derives the standing of an intent. */
export function standing(situation: Situation): Standing {
  const belief = assess(situation.journal, situation.contract, situation.now);
  const step = nextStep(belief, situation);
  return {
    belief,
    step,
    status: statusOf(belief, step, situation),
    reason: reasonOf(belief, step),
    nextStepAt: nextStepAt(step, situation.now),
  };
}

function statusOf(belief: Belief, step: Step, situation: Situation): Status {
  if (step.kind === 'finish') return step.outcome;
  if (step.kind === 'review') return 'in_review';
  switch (belief.kind) {
    case 'in_flight':
      return 'executing';
    case 'pending':
      return 'pending';
    case 'not_applied':
      return 'accepted';
    case 'doubt':
    case 'conflict':
    case 'rejected':
      return 'unknown';
    case 'applied':
      return whileUndoing(situation);
  }
}

/** An applied effect is not the end only after a cancel: it is being undone. */
function whileUndoing({ journal, contract, now }: Situation): Status {
  switch (assessRevert(journal, contract, now).kind) {
    case 'none':
    case 'in_flight':
      return 'executing';
    case 'doubt':
      return 'unknown';
    case 'done':
    case 'refused':
      return 'pending';
  }
}

/** Why the provider is asked; a lost answer where nothing else is said. */
const LOOKING_UP: Readonly<Partial<Record<Belief['kind'], string>>> = {
  pending: 'The provider has it and will answer later; asking the provider.',
  applied: 'Canceled after it was applied; asking the provider whether it is undone.',
};

function reasonOf(belief: Belief, step: Step): string {
  switch (step.kind) {
    case 'finish':
    case 'review':
    case 'wait':
      return step.reason;
    case 'look_up':
      if ('awaits' in belief && belief.awaits !== null) {
        return `An operator decided ${wordsFor(belief.awaits)}; asking the provider to confirm it.`;
      }
      return LOOKING_UP[belief.kind] ?? 'The answer was lost after sending; asking the provider.';
    case 'send':
      if (step.effect === 'revert') return 'Canceled after it was applied; undoing it.';
      return step.number === 1
        ? 'Recorded; about to be sent.'
        : `Attempt ${step.number} follows: ${belief.kind === 'doubt' ? 'the same request under the same key' : 'the earlier ones are proven without effect'}.`;
  }
}

function nextStepAt(step: Step, now: number): number | null {
  switch (step.kind) {
    case 'wait':
      return step.until;
    case 'review':
      return step.lookUpAt;
    case 'finish':
      return null;
    case 'send':
    case 'look_up':
      return now;
  }
}
