/** Public cases of cancel, void and refund; ids as in docs/public-cases.md. */
import { caseStage, idOf } from '../../support/case-stage';
import { refund } from '../../support/intent-client';

const stage = caseStage();

it.concurrent(
  'B81: a charge that succeeds after its cancel is voided once, and no secret',
  async () => {
    const source = 'card_b81';
    await stage.programme(source, { on: 'charge', do: 'slow', delay_ms: 1_650 });
    const reply = await stage.post(source, { provider: 'sim-lookup', wait: 0 });
    await stage.called(source);
    expect((await stage.cancel(reply, 0)).status).toBe(202);
    await stage.tell(reply, 'evt_b81');
    await stage.tell(reply, 'evt_b81');
    expect(await stage.ended(reply)).toMatchObject({ status: 'canceled', discrepancy: null });
    expect((await stage.told(source)).effects).toEqual(['charge voided', 'void succeeded']);
  },
);

it.concurrent('B82: "already succeeded" to a void is an answer, not an error', async () => {
  const source = 'card_b82';
  await stage.programme(
    source,
    { on: 'charge', do: 'slow', delay_ms: 600 },
    { on: 'void', do: 'http-400-already-succeeded', times: 'always' },
  );
  const reply = await stage.post(source, { wait: 0 });
  await stage.called(source);
  const canceled = await stage.cancel(reply);
  expect([canceled.status, canceled.problem]).toEqual([409, 'too-late']);
  expect((await stage.ended(reply))['status']).toBe('succeeded');
  expect((await stage.told(source)).effects).toEqual(['charge succeeded']);
});

it.concurrent(
  'B84: what is being voided is not refunded, and twice canceled is one void',
  async () => {
    const source = 'card_b84_void';
    await stage.programme(source, { on: 'charge', do: 'slow', delay_ms: 600 });
    const reply = await stage.post(source, { wait: 0 });
    await stage.called(source);
    const cancels = Promise.all([stage.cancel(reply), stage.cancel(reply)]);
    const early = await giveBack(idOf(reply), 'b84-early');
    expect((await cancels).map(({ status }) => status)).toEqual([200, 200]);
    const late = await giveBack(idOf(reply), 'b84-late');
    expect([early.problem, late.problem]).toEqual([
      'charge-not-refundable',
      'charge-not-refundable',
    ]);
    expect((await stage.told(source)).effects).toEqual(['charge voided', 'void succeeded']);
  },
);

it.concurrent('B84: what is being refunded is not voided', async () => {
  const source = 'card_b84_refund';
  const reply = await stage.post(source);
  await stage.programme(source, { on: 'refund', do: 'slow', delay_ms: 600 });
  const [refunded, canceled] = await Promise.all([
    giveBack(idOf(reply), 'b84-refund'),
    stage.cancel(reply),
  ]);
  expect([refunded.status, canceled.status, canceled.problem]).toEqual([201, 409, 'too-late']);
  expect((await stage.told(source)).effects).toEqual(['charge succeeded', 'refund succeeded']);
});

const giveBack = (id: string, key: string) =>
  refund(
    stage.api,
    { charge: id, amount: 1000, reference: key },
    { token: stage.token, key, wait: 20 },
  );
