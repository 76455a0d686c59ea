/**
 * `GET /v1/queue`: what waits for operators, oldest first, as `/desk` shows it. From PostgreSQL alone, so
 * it is told while the worker or Temporal is away.
 */
import { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CONCERNS } from '../domain/concern';
import { type QueueLine, readQueue, sumQueue } from '../store/read-queue';
import { authenticator, operatorOf } from './authenticate';
import { type Gateway } from './gateway';
import { intentView } from './intent-view';
import { type queueShape } from './openapi/shapes';
import { faultsOf, invalidParameters, wording } from './read-parameters';

const MOST_LINES = 500;
const DEFAULT_LINES = 100;
const LIMIT_RULE = `must be 1 to ${MOST_LINES}`;

/** What may be asked of the queue. */
export const queueQuerySchema = z.strictObject({
  concern: z.enum(CONCERNS, { error: `must be one of ${CONCERNS.join(', ')}` }).optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT_RULE)
    .transform(Number)
    .pipe(z.int({ error: LIMIT_RULE }).min(1, LIMIT_RULE).max(MOST_LINES, LIMIT_RULE))
    .optional(),
});

/** Registers it. */
export function registerQueue(app: FastifyInstance, gateway: Gateway): void {
  const { db, deskUrl } = gateway;
  app.get('/v1/queue', { onRequest: authenticator(gateway) }, async (request, reply) => {
    operatorOf(request);
    const parsed = queueQuerySchema.safeParse(request.query, { error: wording });
    if (!parsed.success) throw invalidParameters(parsed.error.issues.flatMap(faultsOf));
    const { concern = null, limit = DEFAULT_LINES } = parsed.data;
    const [lines, sums] = await Promise.all([readQueue(db, { concern, limit }), sumQueue(db)]);
    const queue: z.infer<typeof queueShape> = {
      data: lines.map((line) => lineView(line, deskUrl)),
      sums: sums.map((sum) => ({ ...sum })),
    };
    return reply.send(queue);
  });
}

function lineView(line: QueueLine, deskUrl: string) {
  const { concern, since, tenant } = line;
  return {
    ...intentView(line, { ownsIntent: false, deskUrl }),
    tenant,
    concern,
    since: since.toISOString(),
  };
}
