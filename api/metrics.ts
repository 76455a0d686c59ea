/**
 * `/metrics`: Prometheus text. It asks for no token, since a scraper has none, and holds nothing of a
 * tenant's; the load balancer keeps it inside the network (docs/deployment.md). PostgreSQL is asked at
 * most every few seconds, however many scrape.
 */
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { readFigures } from '../store/read-figures';
import { problemOf } from './answer';
import { type Gateway } from './gateway';

const FIGURES_ARE_GOOD_MS = 3_000;

/** A path that nobody serves is the caller's text and would be a label of its own. */
export const NO_ROUTE = 'none';

/** Registers it, and the count of every answer. */
export function registerMetrics(app: FastifyInstance, gateway: Gateway): void {
  const { metrics } = gateway;
  let asked = Number.NEGATIVE_INFINITY;
  let shown: Promise<void> = Promise.resolve();

  app.get('/metrics', async (request, reply) => {
    if (performance.now() - asked > FIGURES_ARE_GOOD_MS) {
      asked = performance.now();
      shown = show(gateway, request);
    }
    await shown;
    metrics.waiters.set(gateway.waiters.size);
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? NO_ROUTE;
    const labels = { method, route, status: reply.statusCode };
    metrics.httpRequestSeconds.observe(labels, reply.elapsedTime / 1_000);
    const problem = problemOf(request);
    if (problem !== undefined) metrics.problems.inc({ route, problem });
    done();
  });
}

async function show({ db, metrics, ...gateway }: Gateway, { log }: FastifyRequest): Promise<void> {
  const [figures, isReachable] = await Promise.allSettled([
    readFigures(db),
    gateway.isTemporalReachable(),
  ]);
  if (figures.status === 'rejected') {
    log.warn({ err: figures.reason as unknown }, 'the store could not be asked for figures');
  }
  metrics.showFigures(figures.status === 'fulfilled' ? figures.value : null);
  metrics.temporalReachable.set(isReachable.status === 'fulfilled' && isReachable.value ? 1 : 0);
}
