/**
 * `GET /v1/events`: the tenant's outbox as CloudEvents, in order. `next_cursor` is where to go on,
 * also from an empty page, so a reader keeps the last one that it has dealt with: after a crash it
 * gets everything behind it, the events of an unfinished page a second time.
 *
 * Race: an event becomes readable while the reader begins to wait. The reader is registered before the
 * page is read: the page has the event, or the next look of `event-waiters.ts` finds it.
 */
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type EventPage, type EventRow, readEvents } from '../store/read-events';
import { authenticator, callerWith } from './authenticate';
import { eventCursor, readEventQuery } from './event-query';
import { type Gateway } from './gateway';
import { readPrefer } from './prefer';

/** Registers it. */
export function registerEvents(app: FastifyInstance, gateway: Gateway): void {
  app.get('/v1/events', { onRequest: authenticator(gateway) }, async (request, reply) => {
    const { tenant } = callerWith(request, 'read');
    const page: EventPage = { tenant, ...readEventQuery(request.query) };
    const events = await nextEvents(gateway, page, {
      milliseconds: patienceOf(request, reply),
      connection: reply.raw,
    });
    return reply.send({
      data: events.map(cloudEvent),
      next_cursor: eventCursor(events.at(-1) ?? page.after),
    });
  });
}

/** Without a preference a feed answers at once: an empty page is an answer. */
function patienceOf(request: FastifyRequest, reply: FastifyReply): number {
  const { seconds, applied } = readPrefer(request.headers['prefer']?.toString());
  if (applied === null) return 0;
  reply.header('preference-applied', applied);
  return seconds * 1_000;
}

interface Patience {
  readonly milliseconds: number;
  readonly connection: FastifyReply['raw'];
}

async function nextEvents(
  gateway: Gateway,
  page: EventPage,
  { milliseconds, connection }: Patience,
): Promise<readonly EventRow[]> {
  if (milliseconds === 0) return readEvents(gateway.db, page);
  const waiting = gateway.eventWaiters.begin(page, milliseconds);
  connection.once('close', waiting.end);
  try {
    const present = await readEvents(gateway.db, page);
    if (present.length > 0) return present;
    await waiting.ended;
    return await readEvents(gateway.db, page);
  } finally {
    connection.off('close', waiting.end);
    waiting.end();
  }
}

/** CloudEvents 1.0, JSON format. `sequence` is an extension: the intent's version. */
function cloudEvent(event: EventRow) {
  return {
    specversion: '1.0',
    // The same in every delivery, and in a restored database.
    id: `${event.intent}.${event.sequence}`,
    source: '/v1/intents',
    type: event.type,
    subject: event.intent,
    time: event.createdAt.toISOString(),
    datacontenttype: 'application/json',
    sequence: event.sequence,
    data: event.data,
  };
}
