/**
 * `POST /v1/intents/{id}/cancel`: asks for a cancel and waits for what comes of it (rule 8). Repeatable.
 * The request is committed first; the signal that follows only says "look again".
 */
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type IntentRow } from '../store/intent-row';
import { readIntent } from '../store/read-intents';
import { requestCancel } from '../store/request-cancel';
import { type Answer, send } from './answer';
import { authenticator, callerWith, type TenantCaller } from './authenticate';
import { awaitCancel } from './await-outcome';
import { type Gateway } from './gateway';
import { intentPath, intentView } from './intent-view';
import { intentProblem, retryAfter } from './outcome-answer';
import { readPrefer } from './prefer';
import { Problem } from './problem';
import { type ById, ID } from './read-routes';

/** Registers it. */
export function registerCancel(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = authenticator(gateway);
  app.post<ById>(`/v1/intents/:id(${ID})/cancel`, { onRequest }, async (request, reply) => {
    const caller = callerWith(request, 'cancel');
    const { seconds, applied } = readPrefer(request.headers['prefer']?.toString());
    if (applied !== null) reply.header('preference-applied', applied);
    const { id, tenant } = await owned(gateway, request, caller);
    await requestCancel(gateway.db, { id, tenant, by: caller.actor });
    const intent = await owned(gateway, request, caller);
    const wait = { milliseconds: seconds * 1_000, connection: reply.raw };
    return send(reply, cancelAnswer(await awaitCancel(gateway, intent, wait), gateway));
  });
}

type CancelRequest = FastifyRequest<ById>;

async function owned(
  { db }: Gateway,
  request: CancelRequest,
  { tenant }: TenantCaller,
): Promise<IntentRow> {
  const intent = await readIntent(db, request.params.id, { tenant });
  if (intent === null) throw new Problem('not-found');
  return intent;
}

/** 200 canceled, 409 too late, 202 while it is being resolved or a person must decide. */
function cancelAnswer(intent: IntentRow, { deskUrl, now }: Gateway): Answer {
  const viewer = { ownsIntent: true, deskUrl };
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
        headers: { ...headers, 'retry-after': retryAfter(intent, now()) },
        body: intentView(intent, viewer),
      };
  }
}
