/**
 * `/desk`: a small page for operators, straight from PostgreSQL, for what the Temporal Web UI cannot do. It
 * shows the queue by age, explains an intent, and binds a decision to a signed-in person. It works while
 * the worker or Temporal is down, and says so.
 */
import fastifyCookie from '@fastify/cookie';
import fastifyFormbody from '@fastify/formbody';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { endDeskSession, openDeskSession } from '../../store/desk-sessions';
import { readJournal } from '../../store/load-journal';
import { readOrphans } from '../../store/orphan-effects';
import { readDecisions } from '../../store/read-decisions';
import { CONCERNS } from '../../domain/concern';
import { readQueue, sumQueue } from '../../store/read-queue';
import { DECISION_ID_IN_PATH } from '../decision-schema';
import { type Gateway } from '../gateway';
import { ID } from '../read-routes';
import * as actions from './actions';
import { DESK_CSS, DESK_JS } from './assets';
import { showError } from './error-page';
import { type Html } from '../html';
import * as closings from './closings';
import { intentPage } from './intent-page';
import { type Notice } from './notice';
import { orphansPage } from './orphans-page';
import { intentPage as pathOf, ORPHANS_PAGE, pageAfterSignIn, QUEUE_PAGE } from './paths';
import { queuePage } from './queue-page';
import { requireFormProof, requireOwnOrigin, secretOf, setSession, type SignedIn } from './session';
import { signedIn } from './session';
import { signInPage } from './sign-in-page';

const LINES = 200;

/** Nothing from elsewhere, no inline script or style, no framing, forms only to us. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface ById {
  readonly Params: { readonly id: string };
}

interface ByNotice {
  readonly Querystring: { readonly notice?: unknown };
}

/** Registers the pages, in a scope of their own: forms and HTML stop at its border. */
export function registerDesk(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (desk) => {
    await desk.register(fastifyCookie);
    await desk.register(fastifyFormbody, { bodyLimit: 16 * 1024 });
    desk.addHook('onRequest', (request, reply, done) => {
      reply.headers({ 'content-security-policy': POLICY, 'referrer-policy': 'same-origin' });
      if (request.method === 'POST') requireOwnOrigin(request);
      done();
    });
    desk.setErrorHandler(showError);
    registerAssets(desk);
    registerSession(desk, gateway);
    registerPages(desk, gateway);
    registerForms(desk, gateway);
    registerOrphans(desk, gateway);
  });
}

function registerAssets(desk: FastifyInstance): void {
  desk.get('/desk/desk.css', (_, reply) => reply.type('text/css; charset=utf-8').send(DESK_CSS));
  desk.get('/desk/desk.js', (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(DESK_JS),
  );
}

function registerSession(desk: FastifyInstance, { db }: Gateway): void {
  desk.post('/desk/session', async (request, reply) => {
    const { token = '', wanted } = actions.fieldsOf(request);
    const page = pageAfterSignIn(wanted);
    const session = await openDeskSession(db, token.trim());
    if (session === null) return show(reply.code(401), signInPage({ wanted: page, refused: true }));
    setSession(request, reply, session.secret);
    request.log.info({ operator: session.operator }, 'signed in to the desk');
    return reply.redirect(page, 303);
  });

  desk.post('/desk/session/end', async (request, reply) => {
    requireFormProof(request, actions.fieldsOf(request)['form_proof']);
    await endDeskSession(db, secretOf(request) ?? '');
    setSession(request, reply, null);
    return reply.redirect(QUEUE_PAGE, 303);
  });
}

function registerPages(desk: FastifyInstance, gateway: Gateway): void {
  desk.get<{ readonly Querystring: { readonly show?: unknown } }>(
    QUEUE_PAGE,
    async (request, reply) => {
      const who = await signedIn(gateway, request);
      if (who === null) return show(reply, signInPage({ wanted: pageAfterSignIn(request.url) }));
      const shown = CONCERNS.find((concern) => concern === request.query.show) ?? null;
      const [lines, sums, orphans, surroundings] = await Promise.all([
        readQueue(gateway.db, { concern: shown, limit: LINES }),
        sumQueue(gateway.db),
        readOrphans(gateway.db, LINES),
        gateway.surroundings(),
      ]);
      const { deskUrl } = gateway;
      const queue = { lines, sums, orphans, shown, deskUrl, now: gateway.now() };
      return show(reply, queuePage(queue, who, surroundings));
    },
  );

  desk.get<ById & ByNotice>(`/desk/intents/:id(${ID})`, async (request, reply) => {
    const who = await signedIn(gateway, request);
    if (who === null) return askToSignIn(reply, request.url);
    const notice = actions.noticeOf(request.query.notice);
    return showIntent(reply, { gateway, who, id: request.params.id, notice });
  });
}

/** Every form: who is signed in, does it come from a page of ours, what it does, what came of it. */
function registerForms(desk: FastifyInstance, gateway: Gateway): void {
  const onForm =
    (act: (action: actions.Action, request: FastifyRequest) => Promise<actions.Outcome>) =>
    async (request: FastifyRequest<ById>, reply: FastifyReply) => {
      const who = await signedIn(gateway, request);
      // What was typed is gone with the session: the page is where to type it again.
      if (who === null) return askToSignIn(reply, pathOf(request.params.id));
      requireFormProof(request, actions.fieldsOf(request)['form_proof']);
      const { id } = request.params;
      const outcome = await act({ id, operator: who.operator }, request);
      return actions.answer(reply, { path: pathOf(id), outcome }, (notice) =>
        showIntent(reply.code(409), { gateway, who, id, notice }),
      );
    };
  const path = `/desk/intents/:id(${ID})`;

  desk.post<ById>(
    `${path}/decisions`,
    onForm((action, request) => actions.decide(gateway, action, actions.fieldsOf(request))),
  );
  desk.post<ById>(
    `${path}/decisions/:decision(${DECISION_ID_IN_PATH})/approve`,
    onForm((action, request) => {
      const { decision } = request.params as { readonly decision: string };
      return actions.approve(gateway, action, decision);
    }),
  );
  desk.post<ById>(
    `${path}/look-up`,
    onForm((action) => actions.askNow(gateway, action)),
  );
  desk.post<ById>(
    `${path}/cancel`,
    onForm((action) => actions.cancel(gateway, action)),
  );
  desk.post<ById>(
    `${path}/discrepancy/close`,
    onForm((action, request) => closings.closeOf(gateway, action, actions.fieldsOf(request))),
  );
}

/** Effects without an intent: the list, and the form of each. */
function registerOrphans(desk: FastifyInstance, gateway: Gateway): void {
  desk.get<ByNotice>(ORPHANS_PAGE, async (request, reply) => {
    const who = await signedIn(gateway, request);
    if (who === null) return askToSignIn(reply, ORPHANS_PAGE);
    return showOrphans(reply, { gateway, who, notice: actions.noticeOf(request.query.notice) });
  });

  desk.post(`${ORPHANS_PAGE}/close`, async (request, reply) => {
    const who = await signedIn(gateway, request);
    if (who === null) return askToSignIn(reply, ORPHANS_PAGE);
    const form = actions.fieldsOf(request);
    requireFormProof(request, form['form_proof']);
    const outcome = await closings.closeEffect(gateway, who.operator, form);
    return actions.answer(reply, { path: ORPHANS_PAGE, outcome }, (notice) =>
      showOrphans(reply.code(409), { gateway, who, notice }),
    );
  });
}

interface Noticed {
  readonly gateway: Gateway;
  readonly who: SignedIn;
  readonly notice: Notice | null;
}

interface Showing extends Noticed {
  readonly id: string;
}

async function showOrphans(reply: FastifyReply, { gateway, who, notice }: Noticed) {
  const [orphans, surroundings] = await Promise.all([
    readOrphans(gateway.db, LINES),
    gateway.surroundings(),
  ]);
  return show(reply, orphansPage({ orphans, notice }, who, surroundings));
}

async function showIntent(reply: FastifyReply, { gateway, who, id, notice }: Showing) {
  const intent = await actions.existing(gateway, id);
  const [journal, decisions, surroundings] = await Promise.all([
    readJournal(gateway.db, intent, 'every-tenant'),
    readDecisions(gateway.db, id, 'every-tenant'),
    gateway.surroundings(),
  ]);
  const { deskUrl } = gateway;
  const one = { intent, journal, decisions, deskUrl, notice };
  return show(reply, intentPage(one, who, surroundings));
}

function askToSignIn(reply: FastifyReply, wanted: string): FastifyReply {
  return show(reply.code(401), signInPage({ wanted: pageAfterSignIn(wanted) }));
}

function show(reply: FastifyReply, page: Html): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page.text);
}
