/**
 * `POST /v1/intents/{id}/look-up`: an operator has the provider asked at once. It changes no evidence by
 * itself and may be repeated; what the provider answers is in the explanation.
 */
import { type FastifyInstance } from 'fastify';
import { readIntent } from '../store/read-intents';
import { type Answer, send } from './answer';
import { authenticator, operatorOf } from './authenticate';
import { type Gateway } from './gateway';
import { intentPath } from './intent-view';
import { type LookUpNow } from './look-up-now';
import { Problem } from './problem';
import { type ById, ID } from './read-routes';

/** Registers it. */
export function registerLookUp(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = authenticator(gateway);
  app.post<ById>(`/v1/intents/:id(${ID})/look-up`, { onRequest }, async (request, reply) => {
    operatorOf(request);
    const intent = await readIntent(gateway.db, request.params.id, 'every-tenant');
    if (intent === null) throw new Problem('not-found');
    return send(reply, lookUpAnswer(await gateway.lookUpNow(intent), intent));
  });
}

interface Asked {
  readonly id: string;
  readonly provider: string;
}

function lookUpAnswer(asked: LookUpNow, { id, provider }: Asked): Answer {
  switch (asked.kind) {
    case 'asking':
      return {
        status: 202,
        headers: { location: `${intentPath(id)}/explanation` },
        body: { message: `${provider} is being asked; the answer will be in the explanation.` },
      };
    case 'refused':
      throw new Problem('look-up-not-possible', { detail: asked.why });
    case 'unreachable':
      // The question may still arrive: an update that nobody answered in time is not taken back.
      throw new Problem('engine-unavailable', {
        detail: 'Asking again is harmless; decisions are taken without them.',
        headers: { 'retry-after': '5' },
      });
  }
}
