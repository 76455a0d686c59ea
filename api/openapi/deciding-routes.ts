/** The operators' routes: what waits, asking the provider, deciding what evidence cannot end. */
import { z } from 'zod';
import { DECISION_ID } from '../../domain/decision-form';
import { decisionSchema } from '../decision-schema';
import { queueQuerySchema } from '../queue';
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

/** All of them. */
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
  {
    method: 'post',
    path: '/v1/intents/{id}/look-up',
    id: 'intents.look-up',
    summary: 'Have the provider asked at once',
    description: 'Repeatable and harmless. The answer is evidence like any look-up’s.',
    scope: 'operate',
    parameters: { id: intentId },
    answers: [{ status: 202, when: 'It is being asked.', body: 'LookUp', headers: ['Location'] }],
    problems: ['not-found', 'look-up-not-possible', 'engine-unavailable'],
  },
  {
    method: 'get',
    path: '/v1/queue',
    id: 'queue',
    summary: 'Read what waits for operators, oldest first',
    description: 'Of every tenant, as `/desk` shows it; while the worker or Temporal is away, too.',
    scope: 'operate',
    query: queueQuerySchema,
    answers: [{ status: 200, when: 'What waits; nothing is an empty list.', body: 'Queue' }],
    problems: ['invalid-parameters'],
  },
];
