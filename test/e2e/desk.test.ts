/** `/desk` as an attacker or a broken browser would use it: sessions, forms, other sites. */
import { request } from 'undici';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { stuckCharge } from '../support/stuck-charge';
import { exchange } from '../support/intent-client';

const { ready } = sharedStack();
const DESK = `${ready.api}/desk`;

interface Sent {
  readonly cookie?: string;
  readonly origin?: string;
  readonly form?: Readonly<Record<string, string>>;
}

async function ask(path: string, { cookie, origin, form }: Sent = {}) {
  const { statusCode, headers, body } = await request(`${ready.api}${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(origin !== undefined && { origin }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  });
  return { status: statusCode, headers, text: await body.text() };
}

async function signIn(token: string): Promise<string> {
  const { status, headers } = await ask('/desk/session', { form: { token } });
  expect(status).toBe(303);
  const [cookie] = [headers['set-cookie'] ?? ''].flat();
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  expect(cookie).toMatch(/Path=\/desk/);
  return cookie?.split(';')[0] ?? '';
}

async function proofOf(cookie: string): Promise<string> {
  const { text } = await ask('/desk', { cookie });
  return /name="form_proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

it('shows nobody anything without a session, and nothing to a tenant', async () => {
  expect((await ask('/desk')).text).toContain('Operator&#39;s token'.replace('&#39;', "'"));
  const { id } = await stuckCharge(ready, { landed: true });
  expect((await ask(`/desk/intents/${id}`)).status).toBe(401);
  const refused = await ask('/desk/session', { form: { token: ready.tenants.acme.token } });
  expect(refused.status).toBe(401);
  expect(refused.headers['set-cookie']).toBeUndefined();
  expect((await ask(`/desk/intents/${id}`, { cookie: 'resolute_desk=guessed' })).status).toBe(401);
});

it('whoever follows a link signs in on the way, and comes to that page', async () => {
  const wanted = '/desk?show=discrepancy';
  const { text } = await ask(wanted);
  expect(text).toContain(`name="wanted" value="${wanted}"`);
  const { token } = ready.operators.olive;
  const { headers } = await ask('/desk/session', { form: { token, wanted } });
  expect(headers['location']).toBe(wanted);
});

it('lets nothing in from elsewhere: policy, framing, kinds', async () => {
  const { headers } = await ask('/desk');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});

it('a form of another site, or of another session, changes nothing', async () => {
  const { id, source } = await stuckCharge(ready, { landed: true });
  const olive = await signIn(ready.operators.olive.token);
  const oscar = await signIn(ready.operators.oscar.token);
  const form = {
    decision_id: `forged-${id}`,
    decision: 'not_applied',
    evidence: 'none',
    reason: 'none',
  };
  const path = `/desk/intents/${id}/decisions`;
  const elsewhere = 'https://elsewhere.example';
  const proof = await proofOf(olive);
  const sent = [
    await ask(path, { form: { ...form, form_proof: proof } }),
    await ask(path, { cookie: olive, form }),
    await ask(path, { cookie: olive, form: { ...form, form_proof: await proofOf(oscar) } }),
    await ask(path, { cookie: olive, origin: elsewhere, form: { ...form, form_proof: proof } }),
    await ask('/desk/session', { origin: elsewhere, form: { token: ready.operators.olive.token } }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([401, 403, 403, 403, 403]);
  const { body } = await exchange(`${ready.api}/v1/intents/${id}`, {
    token: ready.operators.olive.token,
  });
  expect(body['status']).toBe('in_review');
  const { effects } = await simulatorClient(ready.simulator_admin).ledger(source);
  expect(effects).toHaveLength(1);
});

it('the same form twice is one decision, and a stale one says what came first', async () => {
  const { id } = await stuckCharge(ready, { landed: true });
  const cookie = await signIn(ready.operators.olive.token);
  const form = {
    form_proof: await proofOf(cookie),
    decision_id: `twice-${id}`,
    decision: 'applied',
    evidence: 'statement line 7',
    reason: 'found it',
  };
  const path = `/desk/intents/${id}/decisions`;
  const first = await ask(path, { cookie, form });
  const again = await ask(path, { cookie, form });
  expect([first.status, again.status]).toEqual([303, 303]);
  const stale = await ask(path, { cookie, form: { ...form, decision_id: `stale-${id}` } });
  expect(stale.status).toBe(409);
  expect(stale.text).toContain('The intent has ended succeeded');
});

it('signing out ends the session for good', async () => {
  const cookie = await signIn(ready.operators.oscar.token);
  const form = { form_proof: await proofOf(cookie) };
  expect((await ask('/desk/session/end', { cookie, form })).status).toBe(303);
  expect((await ask('/desk', { cookie })).text).not.toContain('Signed in as');
});

it('an intent that does not exist is a page that says so', async () => {
  const cookie = await signIn(ready.operators.olive.token);
  const nowhere = '/desk/intents/00000000-0000-7000-8000-000000000000';
  const { status, headers, text } = await ask(nowhere, { cookie });
  expect(status).toBe(404);
  expect(headers['content-type']).toContain('text/html');
  expect(text).toContain('Back to the queue');
  expect(DESK).toMatch(/\/desk$/);
});
