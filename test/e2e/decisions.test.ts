/** Decisions of operators through the real gateway, judged by the provider's ledger. */
import { charge, exchange, type Reply } from '../support/intent-client';
import { operatorClient } from '../support/operator-client';
import { sharedStack } from '../support/shared-stack';
import { type Fault, simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready } = sharedStack();
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);
const olive = operatorClient(ready.api, ready.operators.olive.token);
const oscar = operatorClient(ready.api, ready.operators.oscar.token);

interface Case {
  readonly provider: string;
  readonly amount?: number;
  readonly faults: readonly Omit<Fault, 'match'>[];
}

/** Asks for a charge that goes wrong as programmed; resolves with the intent's id. */
async function begin(source: string, { provider, amount = 1000, faults }: Case): Promise<string> {
  for (const fault of faults) await simulator.programme({ ...fault, match: { source } });
  const body = { provider, source, amount, reference: source };
  const reply = await charge(ready.api, body, { token, key: source, wait: 0 });
  return String(reply.body['id']);
}

function untilStatus(id: string, ...statuses: readonly string[]): Promise<Reply> {
  return until(`${id} is ${statuses.join(' or ')}`, async () => {
    const reply = await exchange(`${ready.api}/v1/intents/${id}`, { token });
    return statuses.includes(String(reply.body['status'])) ? reply : undefined;
  });
}

async function ledgerOf(source: string) {
  const { effects, calls } = await simulator.ledger(source);
  return { effects: effects.length, charges: calls.filter((one) => one.call === 'charge').length };
}

const LOST_AFTER: Case['faults'] = [{ on: 'charge', do: 'timeout-after-effect' }];
const LOST_BEFORE: Case['faults'] = [{ on: 'charge', do: 'timeout-before-effect' }];

describe('sim-blind, which nobody can ask', () => {
  it.each([
    { decision: 'applied', faults: LOST_AFTER, status: 'succeeded', repeat: [201, undefined] },
    {
      decision: 'not_applied',
      faults: LOST_BEFORE,
      status: 'failed',
      repeat: [422, 'effect-not-applied'],
    },
  ])('$decision ends it $status', async ({ decision, faults, status, repeat }) => {
    const source = `card_decided_${decision}`;
    const id = await begin(source, { provider: 'sim-blind', faults });
    await untilStatus(id, 'in_review');
    const reply = await olive.decide(id, { decision });
    expect([200, 202]).toContain(reply.status);
    expect(reply.body).toMatchObject({ id, decision: { state: 'effective' } });
    await untilStatus(id, status);
    expect(await ledgerOf(source)).toEqual({ effects: decision === 'applied' ? 1 : 0, charges: 1 });
    const body = { provider: 'sim-blind', source, reference: source };
    const again = await charge(ready.api, body, { token, key: source });
    expect([again.status, again.problem]).toEqual(repeat);
  });

  it('retry sends once more, and there is one effect in all', async () => {
    const source = 'card_decided_retry';
    const id = await begin(source, { provider: 'sim-blind', faults: LOST_BEFORE });
    await untilStatus(id, 'in_review');
    expect([200, 202]).toContain((await olive.decide(id, { decision: 'retry' })).status);
    expect((await untilStatus(id, 'succeeded')).body['attempts']).toBe(2);
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 2 });
  });

  it('the same decision again gets an answer of the same kind, and another under its id none', async () => {
    const source = 'card_decided_twice';
    const id = await begin(source, { provider: 'sim-blind', faults: LOST_AFTER });
    await untilStatus(id, 'in_review');
    const decision_id = `${source}-1`;
    await olive.decide(id, { decision_id });
    await untilStatus(id, 'succeeded');
    expect((await olive.decide(id, { decision_id })).status).toBe(200);
    const other = await olive.decide(id, { decision_id, decision: 'not_applied' });
    expect([other.status, other.problem]).toEqual([422, 'decision-id-reused']);
    const late = await oscar.decide(id, { decision: 'not_applied' });
    expect([late.status, late.problem]).toEqual([409, 'too-late']);
    expect(late.body['intent']).toMatchObject({ id, status: 'succeeded', idempotency_key: null });
  });

  it('above the threshold one operator proposes and another one approves', async () => {
    const source = 'card_decided_by_two';
    const id = await begin(source, { provider: 'sim-blind', amount: 100_001, faults: LOST_AFTER });
    await untilStatus(id, 'in_review');
    const decision_id = `${source}-1`;
    const proposed = await olive.decide(id, { decision_id });
    expect([proposed.status, proposed.body['status']]).toEqual([202, 'in_review']);
    expect(proposed.body['decision']).toEqual({ decision_id, state: 'proposed' });
    const self = await olive.approve(id, decision_id);
    expect([self.status, self.problem]).toEqual([409, 'decision-not-legal']);
    expect((await untilStatus(id, 'in_review')).status).toBe(200);
    expect([200, 202]).toContain((await oscar.approve(id, decision_id)).status);
    await untilStatus(id, 'succeeded');
    expect((await oscar.approve(id, decision_id)).status).toBe(200);
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 1 });
  });
});

describe('sim-lookup, which can be asked', () => {
  it('a decision takes effect with our own look-up, not before', async () => {
    const source = 'card_decided_lookup';
    const faults = [...LOST_AFTER, { on: 'query', do: 'timeout', times: 2 } as const];
    const id = await begin(source, { provider: 'sim-lookup', faults });
    await untilStatus(id, 'unknown');
    expect((await olive.decide(id, { decision: 'applied' })).status).toBe(202);
    await untilStatus(id, 'succeeded');
    const { calls } = await simulator.ledger(source);
    expect(calls.filter((one) => one.call === 'query').length).toBeGreaterThan(2);
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 1 });
  });

  it('a wrong "applied" is not believed: the look-up contradicts it', async () => {
    const source = 'card_decided_wrongly';
    const faults = [...LOST_BEFORE, { on: 'query', do: 'timeout', times: 2 } as const];
    const id = await begin(source, { provider: 'sim-lookup', faults });
    await untilStatus(id, 'unknown');
    expect((await olive.decide(id, { decision: 'applied' })).status).toBe(202);
    const reply = await untilStatus(id, 'in_review', 'succeeded', 'failed');
    expect(reply.body['status']).toBe('in_review');
    expect(await ledgerOf(source)).toEqual({ effects: 0, charges: 1 });
    expect([200, 202]).toContain((await oscar.decide(id, { decision: 'not_applied' })).status);
    await untilStatus(id, 'failed');
  });

  it('B126: a decision after the provider’s late answer comes too late', async () => {
    const source = 'card_decided_late';
    const id = await begin(source, { provider: 'sim-lookup', faults: LOST_AFTER });
    await untilStatus(id, 'succeeded');
    const reply = await olive.decide(id, { decision: 'not_applied', evidence: 'stale list' });
    expect([reply.status, reply.problem]).toEqual([409, 'too-late']);
    expect(await ledgerOf(source)).toEqual({ effects: 1, charges: 1 });
  });
});

describe('an intent that was settled without trouble', () => {
  const source = 'card_decided_never';
  let id: string;
  beforeAll(async () => {
    id = await begin(source, { provider: 'sim-full', faults: [] });
    await untilStatus(id, 'succeeded');
  });

  it.each([
    ['no evidence', { evidence: undefined }, '/evidence'],
    ['blank evidence', { evidence: ' ' }, '/evidence'],
    ['no reason', { reason: undefined }, '/reason'],
    ['no id', { decision_id: undefined }, '/decision_id'],
    ['an id that a path would change', { decision_id: 'a/b' }, '/decision_id'],
    ['another verdict', { decision: 'maybe' }, '/decision'],
    ['an operator', { operator: 'oscar' }, '/operator'],
    ['an override in words', { override: 'yes' }, '/override'],
  ])('B129: a body with %s is 400 and says where', async (_title, changes, pointer) => {
    const reply = await olive.decide(id, changes);
    expect([reply.status, reply.problem]).toEqual([400, 'invalid-parameters']);
    expect(reply.body['errors']).toEqual([expect.objectContaining({ pointer })]);
  });

  it.each([undefined, '', '[]', '5', '"text"', '{"decision_id":"a","decision_id":"b"}', '{'])(
    'B124: the body %s is 400',
    async (body) => {
      const reply = await olive.decideRaw(id, body);
      expect([reply.status, reply.problem]).toEqual([400, 'invalid-parameters']);
    },
  );

  it('INV-11: a tenant decides nothing, and nobody about what does not exist', async () => {
    const tenant = operatorClient(ready.api, token);
    expect((await tenant.decide(id, {})).status).toBe(403);
    expect((await tenant.approve(id, 'd1')).status).toBe(403);
    const nobody = '00000000-0000-7000-8000-000000000000';
    expect((await olive.decide(nobody, {})).status).toBe(404);
    expect((await olive.approve(nobody, 'd1')).status).toBe(404);
    expect((await olive.approve(id, 'd1')).status).toBe(404);
    // No text that PostgreSQL could not take reaches it.
    expect((await olive.approve(id, 'd\u0000')).status).toBe(404);
    expect((await olive.get(`/v1/intents/${id}/decisions`)).status).toBe(405);
    expect((await olive.get(`/v1/intents/${id}/decisions/d1/approve`)).status).toBe(405);
  });
});

it('operators read every tenant’s intents, with the words of decisions; tenants without', async () => {
  const source = 'card_decided_explained';
  const id = await begin(source, { provider: 'sim-blind', faults: LOST_AFTER });
  await untilStatus(id, 'in_review');
  const before = await olive.get(`/v1/intents/${id}/explanation`);
  expect(before.body['allowed']).toEqual(['applied', 'not_applied', 'retry']);
  await olive.decide(id, { decision_id: source });
  await untilStatus(id, 'succeeded');
  const own = await exchange(`${ready.api}/v1/intents/${id}/explanation`, { token });
  const shown = { decision_id: source, decision: 'applied', state: 'effective' };
  expect(own.body['decisions']).toEqual([expect.objectContaining(shown)]);
  expect(JSON.stringify(own.body)).not.toContain('statement');
  expect(JSON.stringify(own.body['decisions'])).not.toContain('olive');
  const theirs = await olive.get(`/v1/intents/${id}/explanation`);
  expect(theirs.body['allowed']).toEqual([]);
  expect(theirs.body['decisions']).toEqual([
    expect.objectContaining({ ...shown, operator: 'olive', evidence: 'line 7 of the statement' }),
  ]);
  const intent = await olive.get(`/v1/intents/${id}`);
  expect([intent.status, intent.body['idempotency_key']]).toEqual([200, null]);
  const list = await olive.get(`/v1/intents?reference=${source}`);
  expect(list.body['data']).toEqual([expect.objectContaining({ id })]);
  expect((await olive.get('/v1/events')).status).toBe(403);
});
