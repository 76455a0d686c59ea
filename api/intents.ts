/**
 * `POST /v1/intents/<operation>`: one request for one effect, first or repeated. Reads like the table
 * of docs/api.md: who asks, is it valid, whose identity is it, is it the same request, what became of
 * it. Everything that can refuse comes before the row; nothing after the row is an error.
 */
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Operation } from '../operations/operation';
import { type Answer, send } from './answer';
import { callerWith } from './authenticate';
import { awaitOutcome } from './await-outcome';
import { claimIdentity } from './claim-identity';
import { type Gateway } from './gateway';
import { readIdempotencyKey } from './idempotency-key';
import { refuseToWait } from './load-shedding';
import { requestIsAbout } from './named-intent';
import { intentProblem, outcomeAnswer } from './outcome-answer';
import { readPrefer } from './prefer';
import { recogniser, recognisedIntent } from './recognise';
import { bodyOf, readParameters } from './read-parameters';

/** One path for every registered operation. */
export function registerIntents(app: FastifyInstance, gateway: Gateway): void {
  const recognise = recogniser(gateway);
  for (const operation of gateway.operations.values()) {
    const onRequest = recognise(operation);
    app.post(`/v1/intents/${operation.name}`, { onRequest }, async (request, reply) =>
      send(reply, await perform(gateway, operation, { request, reply })),
    );
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function perform(
  gateway: Gateway,
  operation: Operation,
  { request, reply }: Exchange,
): Promise<Answer> {
  const caller = callerWith(request, operation.scope);
  const idempotencyKey = readIdempotencyKey(request.raw.rawHeaders);
  const params = readParameters(operation, bodyOf(request));
  const viewer = { ownsIntent: true, deskUrl: gateway.deskUrl };
  // What stands in the way is another request's intent; whoever may not read it gets no look this way.
  const isHidden = !caller.scopes.includes('read');
  const { seconds, applied } = readPrefer(headerText(request, 'prefer'));
  refuseToWait(gateway, seconds);

  const claim = { caller, operation, idempotencyKey, params };
  const found = await claimIdentity(gateway, claim, recognisedIntent(request));
  requestIsAbout(request, found.intent.id);
  const count = { operation: operation.name };
  if (found.kind === 'business_key_taken') {
    gateway.metrics.businessKeyConflicts.inc(count);
    const detail = 'Another live intent has this reference; a new key cannot repeat it.';
    return intentProblem('business-key-taken', found.intent, { viewer, detail, isHidden });
  }
  if (found.kind === 'not_drawn') {
    return intentProblem(found.problem, found.intent, { viewer, detail: found.detail, isHidden });
  }
  const isRepeat = found.kind === 'existing';
  if (isRepeat && !gateway.fingerprints.areSame(found.intent, operation, params)) {
    gateway.metrics.fingerprintConflicts.inc(count);
    const detail = 'The Idempotency-Key was used before with other parameters.';
    return intentProblem('idempotency-key-reused', found.intent, { viewer, detail });
  }
  if (isRepeat) gateway.metrics.repeatsServed.inc(count);
  else gateway.metrics.intentsRecorded.inc({ ...count, provider: found.intent.provider });

  if (applied !== null) reply.header('preference-applied', applied);
  const intent = await awaitOutcome(gateway, found, {
    milliseconds: seconds * 1_000,
    connection: reply.raw,
  });
  return outcomeAnswer(intent, { ...viewer, isRepeat, now: gateway.now() });
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name]?.toString();
}
