/**
 * The campaign's judge on real books: a charge, its refund and a message that agree, then effects made
 * at the provider behind our back. Each is seen in the ledger, and nothing is seen before.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { readBooks, type Told } from '../../campaign/books';
import { insist, type Wish } from '../../campaign/caller';
import { check } from '../../campaign/check';
import { CAMPAIGN_CONTRACTS } from '../../campaign/contracts';
import { type RunningStack, startStack } from '../../local/ready';
import { until } from '../support/until';

const STACK_STARTS_MS = 120_000;

let stack: RunningStack;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolute-judge-'));
  stack = await startStack({ dataDirectory: directory, contract: CAMPAIGN_CONTRACTS });
}, STACK_STARTS_MS);
afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
}, STACK_STARTS_MS);

/** Asks at the provider itself, as no engine does. */
async function behindOurBack(path: string, body: object): Promise<string> {
  const reply = await request(`${stack.ready.simulator}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.statusCode).toBeLessThan(300);
  return ((await reply.body.json()) as { readonly id: string }).id;
}

test('nothing is found until somebody has an effect made behind our back, and then each is', async () => {
  const caller = { api: stack.ready.api, token: stack.ready.tenants.acme.token };
  const ask = (wish: Wish) => insist(caller, wish);
  const money = { amount: 1000, currency: 'EUR' };
  const charge = await ask({
    key: 'judge-1',
    operation: 'payment.charge',
    body: { ...money, source: 'card_judge', reference: 'order', provider: 'sim-lookup' },
  });
  const refund = await ask({
    key: 'judge-2',
    operation: 'payment.refund',
    body: { charge: charge.intent, amount: 400, reference: 'return' },
  });
  const tooMuch = await ask({
    key: 'judge-3',
    operation: 'payment.refund',
    body: { charge: charge.intent, amount: 601, reference: 'return-2' },
  });
  expect(tooMuch.refused).toBe('refund-exceeds-charge');
  const message = await ask({
    key: 'judge-4',
    operation: 'message.send',
    body: { to: 'to_judge', text: 'x', reference: 'x', provider: 'sim-fax' },
  });
  const refusal = { key: 'judge-3', why: 'refund-exceeds-charge', charge: charge.intent ?? '' };
  const told = {
    keys: [{ key: 'judge-1' }, { key: 'judge-2' }, { key: 'judge-4' }],
    answers: [charge, refund, tooMuch, message],
    refusals: [{ ...refusal, chargeWas: charge.status, amount: 601 }],
  } as Told;
  // The workflows close a moment after their callers were answered.
  const books = await until('the books agree', async () => {
    const now = await readBooks(stack.ready, told);
    return check(now).length === 0 ? now : undefined;
  });
  expect(books.intents.map((one) => one.kind).sort()).toEqual(['charge', 'message', 'refund']);

  const second = await behindOurBack('/lookup/v1/charges', {
    ...money,
    source: 'card_judge',
    reference: 'behind',
  });
  await behindOurBack('/lookup/v1/refunds', { charge: second, amount: 400, reference: 'b-1' });
  await behindOurBack('/lookup/v1/refunds', { charge: second, amount: 600, reference: 'b-2' });
  await behindOurBack('/blind/v1/messages', { to: 'nobody', text: 'x', reference: 'b-3' });
  const found = check(await readBooks(stack.ready, told)).map(({ kind, about }) => [
    kind,
    about.split(' ').slice(0, 1).join(' '),
  ]);
  expect(found.sort()).toEqual([
    ['doubled', 'judge-1'],
    ['doubled', 'judge-2'],
    ['orphan', 'in'],
    ['orphan', 'in'],
  ]);
}, 90_000);
