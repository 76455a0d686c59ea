/**
 * `POST /v1/providers/{provider}/notifications`: what providers tell of their own accord. Nobody has a
 * token here: the signature over the raw bytes is the credential, and before it is proven nothing is
 * read or stored. 202 says that the notification is safely stored; acting on it is ours from there on,
 * so a failure to do so is never the provider's to repeat.
 */
import { createHash } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type z } from 'zod';
import { effectOfReference } from '../domain/identity';
import { type Notification, type NotificationReader } from '../providers/notification';
import { readIntent } from '../store/read-intents';
import { type NamedIntent, takeInNotification } from '../store/take-in-notification';
import { send } from './answer';
import { type Gateway } from './gateway';
import { type notificationReceiptShape } from './openapi/shapes';
import { Problem } from './problem';

interface ByProvider {
  readonly Params: { readonly provider: string };
}
type Request = FastifyRequest<ByProvider>;
type Receipt = z.infer<typeof notificationReceiptShape>;

/** Registers it. */
export function registerNotifications(app: FastifyInstance, gateway: Gateway): void {
  app.post<ByProvider>(
    '/v1/providers/:provider([A-Za-z0-9._-]+)/notifications',
    async (request, reply) => {
      const read = readerOf(gateway, request.params.provider);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const notification = proven(read, body, request);
      const named = await takeIn(gateway, request, { notification, body });
      // Not waited for: the answer promises no more than that it is stored.
      if (named?.isWaiting) void wake(gateway, named, request);
      const receipt: Receipt = { event_id: notification.eventId };
      return send(reply, { status: 202, headers: {}, body: receipt });
    },
  );
}

function readerOf({ providers }: Gateway, name: string): NotificationReader {
  const read = providers.get(name)?.readNotification ?? null;
  if (read === null) {
    throw new Problem('not-found', {
      detail: 'No provider of this name sends notifications here.',
    });
  }
  return read;
}

function proven(read: NotificationReader, body: Buffer, request: Request): Notification {
  const reading = read({ body, headers: request.headers });
  switch (reading.kind) {
    case 'proven':
      return reading.notification;
    case 'unproven':
      logRefusal(request, reading.why);
      throw new Problem('notification-not-proven', {
        detail: reading.why,
        headers: { 'www-authenticate': 'Signature realm="notifications"' },
      });
    case 'malformed':
      logRefusal(request, reading.why);
      throw new Problem('notification-malformed', { detail: reading.why });
  }
}

/** A forgotten secret looks like a forger: an operator must be able to see it. */
function logRefusal(request: Request, why: string): void {
  const { provider } = request.params;
  request.log.warn({ provider, why, request_id: request.id }, 'a notification was refused');
}

interface Taking {
  readonly notification: Notification;
  readonly body: Buffer;
}

async function takeIn(
  { db }: Gateway,
  request: Request,
  { notification, body }: Taking,
): Promise<NamedIntent | null> {
  const { provider } = request.params;
  const { eventId, type, told } = notification;
  // Somebody else's reference may hold anything, a payer's name included: only ours is looked at.
  const about = effectOfReference(told?.reference ?? '');
  const bodyDigest = createHash('sha256').update(body).digest();
  const taken = { provider, eventId, type, bodyDigest, about, told };
  const named = await takeInNotification(db, taken);
  if (told !== null && named === null) {
    request.log.warn({ provider, event: eventId, type }, 'a notification about nothing of ours');
  }
  return named;
}

/** The journal is about to grow. A wake-up that gets lost is repeated by the auditor. */
async function wake(
  { db, wakeWorkflow }: Gateway,
  { intent: id, tenant }: NamedIntent,
  request: Request,
): Promise<void> {
  try {
    const intent = await readIntent(db, id, { tenant });
    if (intent !== null) await wakeWorkflow(intent);
  } catch (error) {
    request.log.warn({ err: error, intent: id }, 'workflow not woken; the auditor will');
  }
}
