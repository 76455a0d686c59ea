/** The routes by which operators decide about an intent that evidence cannot end. */
import { z } from 'zod';
import { DECISION_ID } from '../../domain/decision-form';
import { decisionSchema } from '../decision-schema';
import { type DescribedAnswer, type DescribedProblem, type DescribedRoute } from './route';

const intentId = z.string().meta({ format: 'uuid' });
const decisionId = z.string().regex(DECISION_ID);

const TAKEN: DescribedAnswer = {
  status: 200,
  when: 'It took effect, and the intent is out of doubt.',
  body: 'DecidedIntent',
  headers: ['Location', 'Retry-After'],
};
const AWAITED: DescribedAnswer = {
  ...TAKEN,
  status: 202,
  when: 'Recorded; it waits for a look-up, for the proof time, or for a second operator.',
};
const REFUSALS = [
  'not-found',
  'too-late',
  'decision-not-legal',
] as const satisfies readonly DescribedProblem[];

/** Both. */
export const DECIDING_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/v1/intents/{id}/decisions',
    id: 'intents.decide',
    summary: 'Decide about an intent in doubt',
    description:
      'The same decision_id again is the same decision, and gets the answer that its present state deserves.',
    scope: 'operate',
    parameters: { id: intentId },
    body: {
      schema: decisionSchema,
      example: {
        decision_id: 'case-17',
        decision: 'applied',
        evidence: 'statement 2026-01-02, line 7',
        reason: 'the payer was charged',
      },
    },
    answers: [TAKEN, AWAITED],
    problems: ['invalid-parameters', ...REFUSALS, 'decision-id-reused'],
  },
  {
    method: 'post',
    path: '/v1/intents/{id}/decisions/{decision_id}/approve',
    id: 'intents.approve',
    summary: 'Approve what another operator decided',
    description: 'Repeatable. Whether the decision is legal is asked anew.',
    scope: 'operate',
    parameters: { id: intentId, decision_id: decisionId },
    answers: [TAKEN, AWAITED],
    problems: REFUSALS,
  },
];
