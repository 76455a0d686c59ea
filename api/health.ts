/**
 * `/healthz`: the process serves. `/readyz`: it can take work, that is, the store answers. Temporal is
 * reported and does not decide: while it is down intents are recorded and nothing is lost.
 */
import { type FastifyInstance } from 'fastify';
import { reachStore } from '../store/reach-store';
import { type Gateway } from './gateway';

/** Registers both. */
export function registerHealth(app: FastifyInstance, gateway: Gateway): void {
  app.get('/healthz', (_, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const [store, temporal] = await Promise.all([
      isStoreReachable(gateway, (error) =>
        request.log.debug({ err: error }, 'not ready: the store cannot be used'),
      ),
      gateway.isTemporalReachable(),
    ]);
    return reply.code(store ? 200 : 503).send({ store: word(store), temporal: word(temporal) });
  });
}

async function isStoreReachable(
  { db }: Gateway,
  onError: (error: unknown) => void,
): Promise<boolean> {
  try {
    await reachStore(db);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

function word(isReachable: boolean): string {
  return isReachable ? 'reachable' : 'unreachable';
}
