/**
 * `POST /v1/intents/{id}/decisions` and `…/decisions/{decision_id}/approve`: what an operator decides,
 * bound to the holder of a token. Committed first, in PostgreSQL alone, so it works while the worker or
 * Temporal is away; the signal that follows only says "look again".
 */
import { type FastifyInstance } from 'fastify';
import { isFinal } from '../domain/status';
import { approveDecision, type Approved } from '../store/approve-decision';
import { type DecisionRow } from '../store/decision-row';
import { type IntentRow } from '../store/intent-row';
import { type Decided, recordDecision } from '../store/record-decision';
import { type Answer, send } from './answer';
import { authenticator, operatorOf } from './authenticate';
import { decisionSchema } from './decision-schema';
import { type Gateway } from './gateway';
import { intentPath, intentView } from './intent-view';
import { intentProblem, retryAfter } from './outcome-answer';
import { Problem } from './problem';
import { bodyOf, readBody } from './read-parameters';
import { type ById, ID } from './read-routes';

interface ByDecision {
  readonly Params: ById['Params'] & { readonly decision: string };
}

/** Registers both. */
export function registerDecisions(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = authenticator(gateway);

  app.post<ById>(`/v1/intents/:id(${ID})/decisions`, { onRequest }, async (request, reply) => {
    const { actor } = operatorOf(request);
    const { decision_id: decisionId, ...body } = readBody(decisionSchema, bodyOf(request));
    const decided = await recordDecision(gateway.db, {
      ...body,
      decisionId,
      intentId: request.params.id,
      operator: actor,
      authenticated: true,
    });
    return send(reply, await decidedAnswer(decided, gateway));
  });

  app.post<ByDecision>(
    `/v1/intents/:id(${ID})/decisions/:decision/approve`,
    { onRequest },
    async (request, reply) => {
      const { actor } = operatorOf(request);
      const { id: intentId, decision: decisionId } = request.params;
      const approved = await approveDecision(gateway.db, { intentId, decisionId, operator: actor });
      return send(reply, await approvedAnswer(approved, gateway));
    },
  );
}

async function decidedAnswer(decided: Decided, gateway: Gateway): Promise<Answer> {
  switch (decided.kind) {
    case 'no_such_intent':
      throw new Problem('not-found');
    case 'clash':
      throw new Problem('decision-id-reused', {
        detail: 'Look at what was decided under this id, and choose another one.',
      });
    case 'recorded': {
      const { decision, approved, intent } = decided;
      if (decision.state === 'refused') return refusedAnswer(decision, intent, gateway);
      await gateway.wakeWorkflow(intent);
      const isEffective = decision.state === 'effective' || approved;
      return recordedAnswer(intent, { decision, isEffective, gateway });
    }
  }
}

async function approvedAnswer(approved: Approved, gateway: Gateway): Promise<Answer> {
  switch (approved.kind) {
    case 'no_such_decision':
      throw new Problem('not-found');
    case 'refused': {
      const { code: refusalCode, detail: refusalDetail } = approved.refusal;
      return refusedAnswer({ refusalCode, refusalDetail }, approved.intent, gateway);
    }
    case 'approved': {
      const { decision, intent } = approved;
      await gateway.wakeWorkflow(intent);
      return recordedAnswer(intent, { decision, isEffective: true, gateway });
    }
  }
}

function refusedAnswer(
  { refusalCode, refusalDetail }: Pick<DecisionRow, 'refusalCode' | 'refusalDetail'>,
  intent: IntentRow,
  { deskUrl }: Gateway,
): Answer {
  const name = refusalCode === 'too-late' ? 'too-late' : 'decision-not-legal';
  const viewer = { ownsIntent: false, deskUrl };
  return intentProblem(name, intent, { viewer, detail: refusalDetail ?? intent.reason });
}

interface RecordedDecision {
  readonly decision: DecisionRow;
  readonly isEffective: boolean;
  readonly gateway: Gateway;
}

/** 200 once it has done what it says; 202 while it waits for a look-up, a time or a second person. */
function recordedAnswer(
  intent: IntentRow,
  { decision, isEffective, gateway }: RecordedDecision,
): Answer {
  const isOpen = intent.status === 'unknown' || intent.status === 'in_review';
  const isDone = isEffective && !isOpen;
  const body = {
    ...intentView(intent, { ownsIntent: false, deskUrl: gateway.deskUrl }),
    decision: { decision_id: decision.id, state: isEffective ? 'effective' : 'proposed' },
  };
  const headers = {
    location: intentPath(intent.id),
    ...(isFinal(intent.status) ? {} : { 'retry-after': retryAfter(intent, gateway.now()) }),
  };
  return { status: isDone ? 200 : 202, headers, body };
}
