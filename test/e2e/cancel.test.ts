/** Cancel through the real gateway: before, during and after the send; effects counted in the ledger. */
import { type Status } from '../../domain/status';
import { documented } from '../support/documented';
import { charge, exchange, type Reply } from '../support/intent-client';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { until } from '../support/until';

const { ready } = sharedStack();
const { token } = ready.tenants.acme;
const simulator = simulatorClient(ready.simulator_admin);

async function cancel(id: string, as = token): Promise<Reply> {
  const url = `${ready.api}/v1/intents/${id}/cancel`;
  const reply = await exchange(url, {
    token: as,
    method: 'POST',
    headers: { prefer: 'wait=30' },
  });
  documented(reply, { method: 'POST', url });
  return reply;
}

/** Asks for a charge without waiting for it; resolves with the intent's id. */
async function begin(provider: string, source: string): Promise<string> {
  const body = { provider, source, reference: source };
  const reply = await charge(ready.api, body, { token, key: source, wait: 0 });
  return String(reply.body['id']);
}

async function effectsOf(source: string): Promise<readonly string[]> {
  const { effects } = await simulator.ledger(source);
  return effects.map(({ kind, status }) => `${kind} ${status}`);
}

async function untilCalled(source: string): Promise<void> {
  await until('the provider was called', async () => {
    const { calls } = await simulator.ledger(source);
    return calls.length > 0 ? true : undefined;
  });
}

it('INV-9: while the provider cannot be reached, nothing is ever sent and it ends canceled', async () => {
  const source = 'card_cancel_unreached';
  const match = { source };
  await simulator.programme({ on: 'charge', do: 'http-429', times: 'always', match });
  const id = await begin('sim-lookup', source);
  await untilCalled(source);
  const reply = await cancel(id);
  expect([reply.status, reply.body['status']]).toEqual([200, 'canceled']);
  expect(await effectsOf(source)).toEqual([]);
  const repeat = await charge(
    ready.api,
    { provider: 'sim-lookup', source, reference: source },
    { token, key: source },
  );
  expect([repeat.status, repeat.problem]).toEqual([409, 'canceled']);
});

it.each(['sim-full', 'sim-lookup', 'sim-key'])(
  'INV-9: canceled while %s is charging, the charge is voided and nothing is live',
  async (provider) => {
    const source = `card_cancel_during_${provider}`;
    await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
    const id = await begin(provider, source);
    await untilCalled(source);
    const reply = await cancel(id);
    expect([reply.status, reply.body['status']]).toEqual([200, 'canceled']);
    expect(await effectsOf(source)).toEqual(['charge voided', 'void succeeded']);
    expect((await cancel(id)).status).toBe(200);
  },
);

it('canceled while unknown and charged, it is found, voided and then canceled', async () => {
  const source = 'card_cancel_unknown';
  await simulator.programme({ on: 'charge', do: 'timeout-after-effect', match: { source } });
  const id = await begin('sim-lookup', source);
  await untilCalled(source);
  const reply = await cancel(id);
  expect([reply.status, reply.body['status']]).toEqual([200, 'canceled']);
  expect(await effectsOf(source)).toEqual(['charge voided', 'void succeeded']);
});

it('canceled while unknown and never charged, it is canceled by proof and not sent again', async () => {
  const source = 'card_cancel_absent';
  await simulator.programme({ on: 'charge', do: 'timeout-before-effect', match: { source } });
  const id = await begin('sim-lookup', source);
  await untilCalled(source);
  expect((await cancel(id)).body['status']).toBe('canceled');
  const { effects, calls } = await simulator.ledger(source);
  expect(effects).toEqual([]);
  expect(calls.filter((call) => call.call === 'charge')).toHaveLength(1);
});

it('B83: the answer to the void is lost: it is looked up, not guessed', async () => {
  const source = 'card_cancel_void_lost';
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
  await simulator.programme({ on: 'void', do: 'timeout-after-effect', match: { source } });
  const id = await begin('sim-lookup', source);
  await untilCalled(source);
  expect((await cancel(id)).body['status']).toBe('canceled');
  const { effects, calls } = await simulator.ledger(source);
  expect(effects.map((effect) => effect.status)).toEqual(['voided', 'succeeded']);
  expect(calls.filter((call) => call.call === 'void')).toHaveLength(1);
});

it('a refused void ends in succeeded, with the refusal explained', async () => {
  const source = 'card_cancel_void_refused';
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
  await simulator.programme({ on: 'void', do: 'decline', match: { source } });
  const id = await begin('sim-full', source);
  await untilCalled(source);
  const reply = await cancel(id);
  expect([reply.status, reply.problem]).toEqual([409, 'too-late']);
  const intent = reply.body['intent'] as { readonly status: Status; readonly reason: string };
  expect(intent.status).toBe('succeeded');
  expect(intent.reason).toMatch(/refused to undo/);
});

it('a cancel after the outcome is too late and changes nothing', async () => {
  const source = 'card_cancel_late';
  const done = await charge(ready.api, { source, reference: source }, { token, key: source });
  const reply = await cancel(String(done.body['id']));
  expect([reply.status, reply.problem]).toEqual([409, 'too-late']);
  expect(await effectsOf(source)).toEqual(['charge succeeded']);
});

it("an operator cancels a tenant's intent, under a name of their own, without seeing its key", async () => {
  const source = 'card_cancel_by_operator';
  const match = { source };
  await simulator.programme({ on: 'charge', do: 'http-429', times: 'always', match });
  const id = await begin('sim-lookup', source);
  await untilCalled(source);
  const operator = ready.operators.olive.token;
  const reply = await cancel(id, operator);
  expect([reply.status, reply.body['status']]).toEqual([200, 'canceled']);
  expect(reply.body['idempotency_key']).toBeNull();
  expect(await effectsOf(source)).toEqual([]);
  const path = `${ready.api}/v1/intents/${id}/explanation`;
  const theirs = await exchange(path, { token: operator });
  expect(theirs.body['cancel']).toMatchObject({ by: 'operator olive' });
  const own = await exchange(path, { token });
  expect(own.body['cancel']).not.toHaveProperty('by');
  const nobody = '00000000-0000-7000-8000-000000000000';
  expect((await cancel(nobody, operator)).status).toBe(404);
});

it("INV-11: another tenant's intent cannot be canceled, nor seen", async () => {
  const source = 'card_cancel_foreign';
  await simulator.programme({ on: 'charge', do: 'slow', delay_ms: 600, match: { source } });
  const id = await begin('sim-full', source);
  const reply = await cancel(id, ready.tenants.globex.token);
  expect([reply.status, reply.problem]).toEqual([404, 'not-found']);
  await until('it succeeds', async () => {
    const { body } = await exchange(`${ready.api}/v1/intents/${id}`, { token });
    return body['status'] === 'succeeded' ? true : undefined;
  });
});
