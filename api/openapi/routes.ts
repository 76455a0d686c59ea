/**
 * Every route of the gateway. A new one is registered in `server.ts` and described here, and a test
 * compares the two; a registered operation appears by itself. Pages for people are no part of it.
 */
import { z } from 'zod';
import { type Operation } from '../../operations/operation';
import { eventQuerySchema } from '../event-query';
import { listQuerySchema } from '../list-query';
import { type DescribedAnswer, type DescribedRoute } from './route';
import { CLOSING_ROUTES } from './closing-routes';
import { DECIDING_ROUTES } from './deciding-routes';

const intentId = z.string().meta({ format: 'uuid' });
const providerName = z.string().regex(/^[A-Za-z0-9._-]+$/);

const UNFINISHED: DescribedAnswer = {
  status: 202,
  when: 'It is not final within the wait: `status` says how far it is, `verdict` what is safe.',
  body: 'Intent',
  headers: ['Location', 'Retry-After', 'Preference-Applied'],
};

/** Of an operation that takes back from an earlier intent. */
const DRAW_PROBLEMS = ['not-found', 'refund-exceeds-charge', 'charge-not-refundable'] as const;

/** The routes, one for each operation among them. */
export function describedRoutes(operations: readonly Operation[]): readonly DescribedRoute[] {
  const list = listRoute(operations.map(({ name }) => name));
  return [
    ...operations.map(performRoute),
    list,
    ...INTENT_ROUTES,
    ...DECIDING_ROUTES,
    ...CLOSING_ROUTES,
    ...SERVICE_ROUTES,
  ];
}

function performRoute({ name, summary, scope, schema, example, draws }: Operation): DescribedRoute {
  return {
    method: 'post',
    path: `/v1/intents/${name}`,
    id: name,
    summary,
    description:
      'The same request again under the same key never does anything twice: it is answered from the intent’s present state, with `Idempotency-Replayed: true`.',
    scope,
    headers: ['Idempotency-Key', 'Prefer'],
    body: { schema, example },
    answers: [
      {
        status: 201,
        when: 'The effect is proven.',
        body: 'Intent',
        headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
      },
      { ...UNFINISHED, headers: [...(UNFINISHED.headers ?? []), 'Idempotency-Replayed'] },
    ],
    problems: [
      'invalid-parameters',
      'invalid-idempotency-key',
      ['effect-rejected', 402],
      'effect-rejected',
      'effect-not-applied',
      'canceled',
      'business-key-taken',
      'intent-expired',
      'idempotency-key-reused',
      'newer-version',
      ...(draws === undefined ? [] : DRAW_PROBLEMS),
    ],
  };
}

function listRoute(operations: readonly string[]): DescribedRoute {
  return {
    method: 'get',
    path: '/v1/intents',
    id: 'intents.list',
    summary: 'List intents, newest first',
    scope: 'read',
    operators: true,
    query: listQuerySchema(operations),
    answers: [{ status: 200, when: 'A page; nothing found is an empty one.', body: 'IntentPage' }],
    problems: ['invalid-parameters'],
  };
}

const INTENT_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'get',
    path: '/v1/intents/{id}',
    id: 'intents.get',
    summary: 'Read an intent',
    scope: 'read',
    operators: true,
    parameters: { id: intentId },
    answers: [
      { status: 200, when: 'Whatever its status.', body: 'Intent', headers: ['Retry-After'] },
    ],
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: '/v1/intents/{id}/explanation',
    id: 'intents.explain',
    summary: 'Read why an intent stands where it stands',
    scope: 'read',
    operators: true,
    parameters: { id: intentId },
    answers: [{ status: 200, when: 'Belief, evidence, attempts, next step.', body: 'Explanation' }],
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/v1/intents/{id}/cancel',
    id: 'intents.cancel',
    summary: 'Cancel an intent',
    description:
      'Repeatable. What turns out applied is undone. An operator’s cancel acts for the intent’s tenant.',
    scope: 'cancel',
    operators: true,
    parameters: { id: intentId },
    headers: ['Prefer'],
    answers: [
      {
        status: 200,
        when: 'Canceled, with proof.',
        body: 'Intent',
        headers: ['Location', 'Preference-Applied'],
      },
      { ...UNFINISHED, when: 'Recorded; it is being resolved.' },
    ],
    problems: ['not-found', 'too-late'],
  },
  {
    method: 'get',
    path: '/v1/events',
    id: 'events.list',
    summary: 'Read the tenant’s changes in order',
    description: 'With `Prefer: wait` an empty page is held back until there is something to tell.',
    scope: 'read',
    query: eventQuerySchema,
    headers: ['Prefer'],
    answers: [
      {
        status: 200,
        when: 'A page, first to last.',
        body: 'EventPage',
        headers: ['Preference-Applied'],
      },
    ],
    problems: ['invalid-parameters'],
  },
];

const SERVICE_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/v1/providers/{provider}/notifications',
    id: 'notifications.take',
    summary: 'Take in what a provider tells of its own accord',
    description:
      'For providers. The signature over the raw bytes, in header fields of the provider’s own scheme, is the credential.',
    scope: null,
    parameters: { provider: providerName },
    body: { signed: 'The event, byte for byte as the provider signed it.' },
    answers: [{ status: 202, when: 'It is stored, now or before.', body: 'NotificationReceipt' }],
    problems: [
      'notification-malformed',
      'notification-not-proven',
      'not-found',
      'store-unavailable',
    ],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    summary: 'Whether the process serves',
    scope: null,
    answers: [{ status: 200, when: 'It serves.', body: 'Health' }],
    problems: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readiness',
    summary: 'Whether the process can take work',
    scope: null,
    answers: [
      { status: 200, when: 'The store answers.', body: 'Readiness' },
      { status: 503, when: 'The store does not answer.', body: 'Readiness' },
    ],
    problems: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'document',
    summary: 'This document',
    scope: null,
    answers: [{ status: 200, when: 'OpenAPI 3.1.', body: 'Document' }],
    problems: [],
  },
];
