/** Public cases in which an operator decides; ids as in docs/public-cases.md. */
import { announced, caseStage, idOf } from '../../support/case-stage';
import { operatorClient } from '../../support/operator-client';
import { sharedStack } from '../../support/shared-stack';
import { type Fault } from '../../support/simulator-client';

const stage = caseStage();
const { ready } = sharedStack();
const olive = operatorClient(ready.api, ready.operators.olive.token);

const LOST: Fault = { on: 'charge', do: 'timeout-after-effect' };
const SILENT: Fault = { on: 'query', do: 'timeout', times: 2 };

/** A charge whose answer was lost and about which the provider stays silent for a while. */
async function inDoubt(source: string, lost: Fault = LOST) {
  await stage.programme(source, lost, SILENT);
  const reply = await stage.post(source, { provider: 'sim-lookup', wait: 0 });
  await stage.reached(reply, 'unknown');
  return reply;
}

async function sources(id: string): Promise<readonly string[]> {
  const { body } = await olive.get(`/v1/intents/${id}/explanation`);
  return (body['observations'] as { readonly source: string }[]).map(({ source }) => source);
}

it.concurrent('B46: whoever feeds an unknown, it is moved to its end once', async () => {
  const source = 'card_b46';
  const reply = await inDoubt(source);
  const [told, repeat, decided] = await Promise.all([
    stage.tell(reply, 'evt_b46'),
    stage.post(source, { provider: 'sim-lookup' }),
    olive.decide(idOf(reply), { decision: 'applied' }),
    stage.read(idOf(reply)),
  ]);
  expect([told, repeat.status, decided.status]).toEqual([[202], 201, 202]);
  expect(await announced(idOf(reply), 'succeeded', 'failed', 'canceled')).toBe(1);
  expect(await stage.told(source)).toMatchObject({ effects: ['charge succeeded'], charges: 1 });
});

it.concurrent(
  'B48: "not charged" waits for our own look-up; nothing is undone by itself',
  async () => {
    const source = 'card_b48';
    const reply = await inDoubt(source, { ...LOST, visible_after_ms: 6_000 });
    const decided = await olive.decide(idOf(reply), { decision: 'not_applied' });
    expect([decided.status, decided.body['status']]).toEqual([202, 'unknown']);
    await stage.reached(reply, 'failed');
    const { calls } = await stage.simulator.ledger(source);
    expect(calls.map(({ call }) => call)).not.toContain('void');
    expect((await stage.told(source)).effects).toEqual(['charge succeeded']);
  },
);

it.concurrent('B54: a retry decided after the end is too late and sends nothing', async () => {
  const source = 'card_b54_late';
  await stage.programme(source, LOST);
  const reply = await stage.post(source, { provider: 'sim-key' });
  expect((await stage.ended(reply))['status']).toBe('succeeded');
  const { charges } = await stage.told(source);
  const retry = await olive.decide(idOf(reply), { decision: 'retry' });
  expect([retry.status, retry.problem]).toEqual([409, 'too-late']);
  expect(await stage.told(source)).toMatchObject({ charges, keys: 1 });
});

it.concurrent(
  'B118: a decision, a notification and a cancel at once are all kept, and end it once',
  async () => {
    const source = 'card_b118';
    const reply = await inDoubt(source);
    const [decided, told, canceled] = await Promise.all([
      olive.decide(idOf(reply), { decision: 'applied', decision_id: 'b118' }),
      stage.tell(reply, 'evt_b118'),
      stage.cancel(reply),
    ]);
    expect([decided.status, told]).toEqual([202, [202]]);
    const { status } = await stage.ended(reply);
    // The cancel was accepted before the outcome, so the charge is voided; else it is too late.
    const voided = ['charge voided', 'void succeeded'];
    expect([canceled.status, status, (await stage.told(source)).effects]).toEqual(
      canceled.status === 200
        ? [200, 'canceled', voided]
        : [409, 'succeeded', ['charge succeeded']],
    );
    expect(await announced(idOf(reply), 'succeeded', 'failed', 'canceled')).toBe(1);
    expect(await sources(idOf(reply))).toEqual(
      expect.arrayContaining(['notification', 'operator']),
    );
  },
);
