/** Reading intents: one by id, a page of them, and why one stands where it stands. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isFinal } from '../domain/status';
import { type IntentRow } from '../store/intent-row';
import { readJournal } from '../store/load-journal';
import { readDecisions } from '../store/read-decisions';
import { type Visibility } from '../store/query-as';
import { listIntents, readIntent } from '../store/read-intents';
import { authenticator, visibilityFor } from './authenticate';
import { explain } from './explanation';
import { type Gateway } from './gateway';
import { intentView } from './intent-view';
import { listQueryReader, type ListQueryReader } from './list-query';
import { retryAfter } from './outcome-answer';
import { Problem } from './problem';

/** Other texts than UUIDs are no intents, and no question for the store. */
export const ID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** A path with an intent's id. */
export interface ById {
  readonly Params: { readonly id: string };
}

/** Registers the three. */
export function registerReadRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = authenticator(gateway);

  app.get<ById>(`/v1/intents/:id(${ID})`, { onRequest }, async (request, reply) => {
    const visibility = visibilityFor(request);
    const intent = await existing(gateway, request.params.id, visibility);
    gateway.intentWasRead(intent);
    return sendIntent(reply, intent, { gateway, visibility });
  });

  app.get<ById>(`/v1/intents/:id(${ID})/explanation`, { onRequest }, async (request, reply) => {
    const visibility = visibilityFor(request);
    const intent = await existing(gateway, request.params.id, visibility);
    const decisions = await readDecisions(gateway.db, intent.id, visibility);
    const journal = await readJournal(gateway.db, intent, visibility);
    const isOperator = visibility === 'every-tenant';
    return reply.send(explain({ intent, journal, decisions, isOperator }));
  });

  const readQuery = listQueryReader(gateway);
  app.get('/v1/intents', { onRequest }, async (request, reply) =>
    reply.send(await page(gateway, request, readQuery)),
  );
}

/** Another tenant's intent and one that never was look alike. */
async function existing(gateway: Gateway, id: string, visibility: Visibility): Promise<IntentRow> {
  const intent = await readIntent(gateway.db, id, visibility);
  if (intent === null) throw new Problem('not-found');
  return intent;
}

interface Reading {
  readonly gateway: Gateway;
  readonly visibility: Visibility;
}

function sendIntent(reply: FastifyReply, intent: IntentRow, reading: Reading): FastifyReply {
  if (!isFinal(intent.status)) {
    reply.header('retry-after', retryAfter(intent, reading.gateway.now()));
  }
  return reply.send(intentView(intent, viewerOf(reading)));
}

async function page(gateway: Gateway, request: FastifyRequest, readQuery: ListQueryReader) {
  const visibility = visibilityFor(request);
  const filter = readQuery(visibility, request.query);
  // One more than asked for tells whether there is a next page.
  const found = await listIntents(gateway.db, visibility, { ...filter, limit: filter.limit + 1 });
  const shown = found.slice(0, filter.limit);
  return {
    data: shown.map((intent) => intentView(intent, viewerOf({ gateway, visibility }))),
    next_cursor: found.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
  };
}

function viewerOf({ gateway, visibility }: Reading) {
  return { ownsIntent: visibility !== 'every-tenant', deskUrl: gateway.deskUrl };
}
