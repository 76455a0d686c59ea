/**
 * What happens next, from the belief alone: the decision rules in their order. Pure, like `assess`.
 * `send` re-derives the same step under the row lock before it opens an attempt, so a stale, repeated
 * or second run that decided to send on an old journal sends nothing.
 */
import { type Belief } from './assess';
import { cancelStep } from './cancel-step';
import { askAgain, resolveDoubt } from './doubt-step';
import { sendOrGiveUp } from './send-step';
import { type Situation, type Step } from './step';

/** The next step of an intent. */
export function nextStep(belief: Belief, situation: Situation): Step {
  switch (belief.kind) {
    case 'conflict':
      return {
        kind: 'review',
        reason: `Evidence contradicts the intent: ${belief.pieces.join('; ')}.`,
        lookUpAt: null,
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
      return askAgain(belief, situation, 'The provider has it and will answer later');
    case 'applied':
    case 'not_applied':
    case 'doubt':
      return situation.journal.cancelRequestedAt === null
        ? withoutCancel(belief, situation)
        : cancelStep(belief, situation);
  }
}

type Decidable = Extract<Belief, { kind: 'applied' | 'not_applied' | 'doubt' }>;

function withoutCancel(belief: Decidable, situation: Situation): Step {
  switch (belief.kind) {
    case 'applied':
      return { kind: 'finish', outcome: 'succeeded', reason: 'The provider shows the effect.' };
    case 'not_applied':
      return sendOrGiveUp(belief.attempts, situation);
    case 'doubt':
      return resolveDoubt(belief, situation);
  }
}
