/** The operators' routes that close what evidence opened: discrepancies, effects without an intent. */
import { z } from 'zod';
import { closingSchema, orphanClosingSchema } from '../closing-schema';
import { type DescribedRoute } from './route';

/** All of them. */
export const CLOSING_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/v1/intents/{id}/discrepancy/close',
    id: 'intents.close-discrepancy',
    summary: 'Close the discrepancy of an ended intent',
    description:
      'The outcome stays. After `outcome_stands` the discrepancy is gone; after `evidence_stands` it is shown as closed. The same decision_id again is the same closing.',
    scope: 'operate',
    parameters: { id: z.string().meta({ format: 'uuid' }) },
    body: {
      schema: closingSchema,
      example: {
        decision_id: 'case-18',
        since: '2026-01-02T03:04:05.678Z',
        closing: 'evidence_stands',
        evidence: 'statement 2026-01-02, line 7',
        reason: 'paid back at the provider',
      },
    },
    answers: [{ status: 200, when: 'It is closed.', body: 'DecidedIntent', headers: ['Location'] }],
    problems: ['invalid-parameters', 'not-found', 'not-open', 'decision-id-reused'],
  },
  {
    method: 'get',
    path: '/v1/orphan-effects',
    id: 'orphan-effects',
    summary: 'Read which effects have no intent here, oldest first',
    description: 'Under a reference of ours, and nobody has closed them. Never touched by us.',
    scope: 'operate',
    answers: [{ status: 200, when: 'Those; nothing is an empty list.', body: 'Orphans' }],
    problems: [],
  },
  {
    method: 'post',
    path: '/v1/orphan-effects/close',
    id: 'orphan-effects.close',
    summary: 'Close an effect that has no intent',
    description: 'Repeatable: the same decision_id again is the same closing.',
    scope: 'operate',
    body: {
      schema: orphanClosingSchema,
      example: {
        decision_id: 'case-19',
        provider: 'sim-full',
        provider_id: 'ch_17',
        evidence: 'listing of 2026-01-02',
        reason: 'the tenant was told and booked it',
      },
    },
    answers: [{ status: 200, when: 'It is closed.', body: 'ClosedOrphan' }],
    problems: ['invalid-parameters', 'not-found', 'not-open', 'decision-id-reused'],
  },
];
