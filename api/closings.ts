/**
 * `POST /v1/intents/{id}/discrepancy/close`, `GET /v1/orphan-effects` and `POST /v1/orphan-effects/close`:
 * what evidence opened after an end, or without an intent, a person closes. In PostgreSQL alone; nothing
 * is sent, and no outcome changes.
 */
import { type FastifyInstance } from 'fastify';
import { type z } from 'zod';
import { closeDiscrepancy, type Closed } from '../store/close-discrepancy';
import {
  closeOrphan,
  type OpenOrphan,
  type OrphanClosed,
  readOrphans,
} from '../store/orphan-effects';
import { type Answer, send } from './answer';
import { authenticator, operatorOf } from './authenticate';
import { closingSchema, orphanClosingSchema } from './closing-schema';
import { type Gateway } from './gateway';
import { intentPath, intentView, type Viewer } from './intent-view';
import {
  type closedOrphanShape,
  type decidedIntentShape,
  type orphansShape,
} from './openapi/shapes';
import { intentProblem } from './outcome-answer';
import { Problem } from './problem';
import { bodyOf, readBody } from './read-parameters';
import { type ById, ID } from './read-routes';

/** Few are ever open; more than these would be read by nobody. */
const MOST_ORPHANS = 500;

/** Registers the three. */
export function registerClosings(app: FastifyInstance, gateway: Gateway): void {
  const { db, deskUrl } = gateway;
  const onRequest = authenticator(gateway);

  app.post<ById>(
    `/v1/intents/:id(${ID})/discrepancy/close`,
    { onRequest },
    async (request, reply) => {
      const { actor: operator } = operatorOf(request);
      const { decision_id, since, ...body } = readBody(closingSchema, bodyOf(request));
      const closed = await closeDiscrepancy(db, {
        ...body,
        decisionId: decision_id,
        since: new Date(since),
        intentId: request.params.id,
        operator,
      });
      return send(reply, closedAnswer(closed, { ownsIntent: false, deskUrl }));
    },
  );

  app.get('/v1/orphan-effects', { onRequest }, async (request, reply) => {
    operatorOf(request);
    const orphans: z.infer<typeof orphansShape> = {
      data: (await readOrphans(db, MOST_ORPHANS)).map(orphanView),
    };
    return reply.send(orphans);
  });

  app.post('/v1/orphan-effects/close', { onRequest }, async (request, reply) => {
    const { actor: operator } = operatorOf(request);
    const body = readBody(orphanClosingSchema, bodyOf(request));
    const { decision_id: decisionId, provider_id: providerId, ...rest } = body;
    const closed = await closeOrphan(db, { ...rest, decisionId, providerId, operator });
    return send(reply, closedOrphanAnswer(closed, body));
  });
}

function closedAnswer(closed: Closed, viewer: Viewer): Answer {
  switch (closed.kind) {
    case 'no_such_intent':
      throw new Problem('not-found');
    case 'clash':
      throw clash();
    case 'not_open':
      return intentProblem('not-open', closed.intent, { viewer, detail: closed.why });
    case 'closed': {
      const { decision, intent } = closed;
      const body: z.infer<typeof decidedIntentShape> = {
        ...intentView(intent, viewer),
        decision: { decision_id: decision.id, state: 'effective' },
      };
      return { status: 200, headers: { location: intentPath(intent.id) }, body };
    }
  }
}

function clash(): Problem {
  return new Problem('decision-id-reused', {
    detail: 'Look at what was closed or decided under this id, and choose another one.',
  });
}

function orphanView({ provider, providerId, about, seenAt }: OpenOrphan) {
  return { provider, provider_id: providerId, intent: about, seen_at: seenAt.toISOString() };
}

function closedOrphanAnswer(
  closed: OrphanClosed,
  { provider, provider_id }: z.infer<typeof orphanClosingSchema>,
): Answer {
  switch (closed.kind) {
    case 'no_such_effect':
      throw new Problem('not-found', {
        detail: `No effect ${provider_id} without an intent is known of ${provider}.`,
      });
    case 'clash':
      throw clash();
    case 'closed_before':
      throw new Problem('not-open', { detail: 'Another closing of this effect came first.' });
    case 'closed': {
      const { id, operator, decidedAt } = closed.decision;
      const closedAt = decidedAt.toISOString();
      const body: z.infer<typeof closedOrphanShape> = {
        ...{ provider, provider_id, decision_id: id, operator, closed_at: closedAt },
      };
      return { status: 200, headers: {}, body };
    }
  }
}
