/**
 * What happens next, from the belief alone: the decision rules in their order. Pure, like `assess`.
 * `send` re-derives the same step under the row lock before it opens an attempt, so a stale, repeated
 * or second run that decided to send on an old journal sends nothing.
 */
import { type Belief } from './assess';
import { cancelStep } from './cancel-step';
import { awaitDecision } from './decision-step';
import { askAgain, resolveDoubt } from './doubt-step';
import { hintedLookUp } from './look-ups';
import { sendOrGiveUp } from './send-step';
import { type Situation, type Step } from './step';

/** The next step of an intent. */
export function nextStep(belief: Belief, situation: Situation): Step {
  switch (belief.kind) {
    case 'conflict':
      return {
        kind: 'review',
        reason: `Evidence contradicts the intent: ${belief.pieces.join('; ')}.`,
        lookUpAt: hintedLookUp(situation.journal, situation.contract),
      };
    case 'rejected':
      return {
        kind: 'finish',
        outcome: 'failed',
        reason: `The provider ${belief.declined ? 'declined' : 'rejected'} it (${belief.code}).`,
      };
    case 'in_flight':
      return { kind: 'wait', until: belief.until, reason: 'A send is under way.' };
    case 'pending':
      return (
        awaitDecision(belief, situation) ??
        askAgain(belief, situation, 'The provider has it and will answer later')
      );
    case 'doubt':
      return awaitDecision(belief, situation) ?? unlessCanceled(belief, situation);
    case 'applied':
    case 'not_applied':
      return unlessCanceled(belief, situation);
  }
}

type Decidable = Extract<Belief, { kind: 'applied' | 'not_applied' | 'doubt' }>;

function unlessCanceled(belief: Decidable, situation: Situation): Step {
  return situation.journal.cancelRequestedAt === null
    ? withoutCancel(belief, situation)
    : cancelStep(belief, situation);
}

function withoutCancel(belief: Decidable, situation: Situation): Step {
  switch (belief.kind) {
    case 'applied':
      return {
        kind: 'finish',
        outcome: 'succeeded',
        reason:
          belief.providerId === null
            ? 'An operator found that it was applied.'
            : 'The provider shows the effect.',
      };
    case 'not_applied':
      return sendOrGiveUp(belief, situation);
    case 'doubt':
      return resolveDoubt(belief, situation);
  }
}
