/**
 * `POST /v1/intents/{id}/cancel`: asks for a cancel and waits for what comes of it (rule 8). Repeatable.
 * The request is committed first; the signal that follows only says "look again". An operator's cancel
 * acts for the tenant whose intent it is, and is recorded under the operator's name.
 */
import { type FastifyInstance } from 'fastify';
import { type IntentRow } from '../store/intent-row';
import { type Visibility } from '../store/query-as';
import { readIntent } from '../store/read-intents';
import { requestCancel } from '../store/request-cancel';
import { type Answer, send } from './answer';
import { authenticator, cancelerOf } from './authenticate';
import { awaitCancel } from './await-outcome';
import { type Gateway } from './gateway';
import { intentPath, intentView, type Viewer } from './intent-view';
import { intentProblem, retryAfter } from './outcome-answer';
import { readPrefer } from './prefer';
import { Problem } from './problem';
import { type ById, ID } from './read-routes';

/** Registers it. */
export function registerCancel(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = authenticator(gateway);
  app.post<ById>(`/v1/intents/:id(${ID})/cancel`, { onRequest }, async (request, reply) => {
    const { visibility, by } = cancelerOf(request);
    const { seconds, applied } = readPrefer(request.headers['prefer']?.toString());
    if (applied !== null) reply.header('preference-applied', applied);
    const { id, tenant } = await existing(gateway, request.params.id, visibility);
    await requestCancel(gateway.db, { id, tenant, by });
    const intent = await existing(gateway, id, visibility);
    const wait = { milliseconds: seconds * 1_000, connection: reply.raw };
    const viewer = { ownsIntent: visibility !== 'every-tenant', deskUrl: gateway.deskUrl };
    const present = await awaitCancel(gateway, intent, wait);
    return send(reply, cancelAnswer(present, viewer, gateway.now()));
  });
}

/** Another tenant's intent and one that never was look alike. */
async function existing({ db }: Gateway, id: string, visibility: Visibility): Promise<IntentRow> {
  const intent = await readIntent(db, id, visibility);
  if (intent === null) throw new Problem('not-found');
  return intent;
}

/** 200 canceled, 409 too late, 202 while it is being resolved or a person must decide. */
function cancelAnswer(intent: IntentRow, viewer: Viewer, now: Date): Answer {
  const headers = { location: intentPath(intent.id) };
  switch (intent.status) {
    case 'canceled':
      return { status: 200, headers, body: intentView(intent, viewer) };
    case 'succeeded':
    case 'failed':
      return intentProblem('too-late', intent, { viewer, headers });
    case 'accepted':
    case 'executing':
    case 'pending':
    case 'unknown':
    case 'in_review':
      return {
        status: 202,
        headers: { ...headers, 'retry-after': retryAfter(intent, now) },
        body: intentView(intent, viewer),
      };
  }
}
