/** Closing discrepancies and effects without an intent: by the API, by the command line, and by nobody else. */
import { randomUUID } from 'node:crypto';
import { type DiscrepantCharge, discrepantCharge, orphanEffect } from '../support/behind-our-back';
import { documented } from '../support/documented';
import { exchange, type Reply } from '../support/intent-client';
import { operatorAtScreen } from '../support/resolute';
import { scrape } from '../support/scrape';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';

const { ready } = sharedStack();
const { api, operators, tenants } = ready;
const olive = operatorAtScreen(api, operators.olive.token);
const NOBODY = '00000000-0000-7000-8000-000000000000';
const GROUNDS = ['--evidence', 'statement of today, line 7', '--reason', 'paid back'] as const;

async function post(path: string, body: object, token = operators.olive.token): Promise<Reply> {
  const url = `${api}${path}`;
  const headers = { 'content-type': 'application/json' };
  const reply = await exchange(url, { token, method: 'POST', headers, body: JSON.stringify(body) });
  documented(reply, { method: 'POST', url });
  return reply;
}

function close(
  { id, since }: Pick<DiscrepantCharge, 'id' | 'since'>,
  changes: Readonly<Record<string, unknown>> = {},
  token?: string,
): Promise<Reply> {
  const body = { decision_id: randomUUID(), since, closing: 'evidence_stands', ...changes };
  const grounds = { evidence: 'line 7 of the statement', reason: 'paid back at the provider' };
  return post(`/v1/intents/${id}/discrepancy/close`, { ...grounds, ...body }, token);
}

async function shown(id: string): Promise<Reply['body']> {
  return (await exchange(`${api}/v1/intents/${id}`, { token: tenants.acme.token })).body;
}

async function explained(id: string): Promise<Reply['body']> {
  const url = `${api}/v1/intents/${id}/explanation`;
  return (await exchange(url, { token: operators.olive.token })).body;
}

/** Figures are read every 3 s. */
const OPEN = 'resolute_discrepancies_open';

describe('a discrepancy', () => {
  it('is closed once by an operator with evidence; the outcome and the ledger stay', async () => {
    const stuck = await discrepantCharge(ready);
    const id = randomUUID();
    const closed = await close(stuck, { decision_id: id });
    expect(closed.status).toBe(200);
    expect(closed.body).toMatchObject({
      ...{ id: stuck.id, status: 'failed', decision: { decision_id: id, state: 'effective' } },
      discrepancy: { since: stuck.since, closed_at: expect.any(String) as string },
    });
    expect((await close(stuck, { decision_id: id })).status).toBe(200);
    expect(await explained(stuck.id)).toMatchObject({
      decisions: [{ decision: 'close', closing: 'evidence_stands', operator: 'olive' }],
    });
    const { effects, calls } = await simulatorClient(ready.simulator_admin).ledger(stuck.source);
    expect(effects.map(({ id: effect, status }) => [effect, status])).toEqual([
      [stuck.effect, 'succeeded'],
    ]);
    expect(calls.filter(({ call }) => call === 'void' || call === 'refund')).toEqual([]);
  });

  it('is refused, with why, for whoever may not, knows too little or comes too late', async () => {
    const stuck = await discrepantCharge(ready);
    expect((await close(stuck, {}, tenants.globex.token)).problem).toBe('forbidden');
    expect((await close(stuck, {}, tenants.acme.token)).problem).toBe('forbidden');
    expect((await close(stuck, {}, 'nobody')).problem).toBe('unauthenticated');
    expect((await close({ ...stuck, id: NOBODY })).problem).toBe('not-found');
    for (const [change, pointer] of [
      [{ evidence: ' ' }, '/evidence'],
      [{ reason: undefined }, '/reason'],
      [{ closing: 'applied' }, '/closing'],
      [{ since: 'yesterday' }, '/since'],
      [{ status: 'succeeded' }, '/status'],
    ] as const) {
      const { problem, body } = await close(stuck, change);
      expect([problem, body['errors']]).toEqual([
        'invalid-parameters',
        [expect.objectContaining({ pointer })],
      ]);
    }
    const other = await close(stuck, { since: '2026-01-01T00:00:00.000Z' });
    expect([other.status, other.problem]).toEqual([409, 'not-open']);
    expect(other.body['detail']).toMatch(/^Another discrepancy is open, since /);
    expect(await shown(stuck.id)).toMatchObject({ discrepancy: { closed_at: null } });
    expect((await close(stuck, { closing: 'outcome_stands' })).status).toBe(200);
    const late = await close(stuck);
    expect([late.status, late.body['detail']]).toEqual([
      409,
      expect.stringMatching(/^olive closed it, .+: outcome_stands\.$/),
    ]);
    expect(await shown(stuck.id)).toMatchObject({ status: 'failed', discrepancy: null });
  });

  it('leaves the queue and the gauge when it is closed on the command line', async () => {
    const stuck = await discrepantCharge(ready);
    const listed = await olive('list', '--concern', 'discrepancy', '--limit', '500');
    expect(listed.stdout).toContain(stuck.id);
    const told = await olive('show', stuck.id);
    const [, since = ''] = /resolute close \S+ \S+ --since (\S+)/.exec(told.stdout) ?? [];
    expect(since).toBe(stuck.since);
    const run = await olive('close', stuck.id, 'evidence_stands', '--since', since, ...GROUNDS);
    expect([run.code, run.stdout]).toEqual([
      0,
      `Closed, and on record. Intent ${stuck.id} stays failed.\n`,
    ]);
    const rest = await olive('list', '--concern', 'discrepancy', '--limit', '500', '--json');
    const { data } = JSON.parse(rest.stdout) as { readonly data: readonly { id: string }[] };
    expect(data.map(({ id }) => id)).not.toContain(stuck.id);
    const again = await olive('close', stuck.id, 'evidence_stands', '--since', since, ...GROUNDS);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/Refused: There is nothing open here to close\.\nolive closed it/);
    const explain = await olive('explain', stuck.id);
    expect(explain.stdout).toContain('olive: close (evidence_stands)');
    expect((await olive('close', stuck.id, 'evidence_stands', ...GROUNDS)).stderr).toContain(
      '--since',
    );
    expect((await scrape(`${api}/metrics`)).sum(OPEN)).toBeLessThanOrEqual(data.length + 1);
  });
});

describe('an effect without an intent', () => {
  it('is listed for operators alone, closed once, and gone from the list', async () => {
    const effect = await orphanEffect(ready);
    const list = (token: string) => exchange(`${api}/v1/orphan-effects`, { token });
    expect((await list(tenants.acme.token)).problem).toBe('forbidden');
    documented(await list(operators.olive.token), {
      method: 'GET',
      url: `${api}/v1/orphan-effects`,
    });
    expect((await olive('orphans')).stdout).toContain(`close-orphan sim-lookup ${effect}`);
    const closing = {
      ...{ provider: 'sim-lookup', provider_id: effect, decision_id: randomUUID() },
      ...{ evidence: 'listing of today', reason: 'the tenant was told' },
    };
    const path = '/v1/orphan-effects/close';
    expect((await post(path, closing, tenants.acme.token)).problem).toBe('forbidden');
    expect((await post(path, { ...closing, evidence: '' })).problem).toBe('invalid-parameters');
    expect((await post(path, { ...closing, provider_id: 'none' })).problem).toBe('not-found');
    expect((await post(path, closing)).status).toBe(200);
    expect((await post(path, closing)).status).toBe(200);
    const late = await olive('close-orphan', 'sim-lookup', effect, ...GROUNDS);
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringContaining('Another closing of this effect came first.'),
    ]);
    const { body } = await list(operators.oscar.token);
    expect(JSON.stringify(body)).not.toContain(effect);
  });
});
