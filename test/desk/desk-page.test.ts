/** `/desk` in a real browser: the queue, a decision, a second person, an outage. */
import { type Browser, type Page } from 'playwright-core';
import { discrepantCharge, orphanEffect } from '../support/behind-our-back';
import { openBrowser, openPage, picture } from '../support/browser';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { type StuckCharge, stuckCharge } from '../support/stuck-charge';
import { until } from '../support/until';

const { ready } = sharedStack();
const simulator = simulatorClient(ready.simulator_admin);
/** More than payment.charge lets one person decide about. */
const ABOVE_THE_THRESHOLD = 250_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function signIn(operator: 'olive' | 'oscar') {
  const tab = await openPage(browser);
  await tab.page.goto(`${ready.api}/desk`);
  await tab.page.getByLabel("Operator's token").fill(ready.operators[operator].token);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.getByRole('heading', { name: 'Queue' }).waitFor();
  return tab;
}

function rowOf(page: Page, { id }: Pick<StuckCharge, 'id'>) {
  return page.locator(`tr[data-intent="${id}"]`);
}

async function fillIn(page: Page, decision: string, evidence: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${decision}:`) }).check();
  await page.getByLabel('Evidence').fill(evidence);
  await page.getByLabel('Reason').fill('the payer waits');
  await page.getByRole('button', { name: 'Record the decision' }).click();
}

it('finds the stuck charge, decides it by evidence, and sees it leave the queue', async () => {
  const stuck = await stuckCharge(ready, { landed: true });
  const { page, problems } = await signIn('olive');
  await rowOf(page, stuck).getByText('To decide').waitFor();
  await picture(page, 'desk-queue');
  await rowOf(page, stuck).getByRole('link', { name: stuck.reference }).click();
  await picture(page, 'desk-intent');

  await fillIn(page, 'applied', '   ');
  await page.getByRole('alert').filter({ hasText: 'evidence' }).waitFor();
  await fillIn(page, 'applied', 'line 7 of the statement of today');
  await page.getByRole('status').filter({ hasText: 'Recorded, and in effect.' }).waitFor();
  await page.getByRole('heading', { name: /succeeded/ }).waitFor();
  await picture(page, 'desk-decided');

  await page.getByRole('link', { name: 'Resolute desk' }).click();
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  expect(await rowOf(page, stuck).count()).toBe(0);
  const { effects, calls } = await simulator.ledger(stuck.source);
  expect({ effects: effects.length, calls: calls.length }).toEqual({ effects: 1, calls: 1 });
  expect(problems).toEqual([]);
});

it('above the threshold one person proposes and another approves', async () => {
  const stuck = await stuckCharge(ready, { amount: ABOVE_THE_THRESHOLD, landed: false });
  const olive = await signIn('olive');
  await rowOf(olive.page, stuck).getByRole('link', { name: stuck.reference }).click();
  await fillIn(olive.page, 'not_applied', 'the provider’s own list has no such charge');
  await olive.page.getByRole('status').filter({ hasText: 'Another operator' }).waitFor();
  await olive.page.getByText('You proposed it').waitFor();
  expect(await olive.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  const oscar = await signIn('oscar');
  await rowOf(oscar.page, stuck).getByText('To approve').waitFor();
  await rowOf(oscar.page, stuck).getByRole('link', { name: stuck.reference }).click();
  await picture(oscar.page, 'desk-proposal');
  await oscar.page.getByRole('button', { name: 'Approve' }).click();
  await oscar.page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor();
  await expectSoon(oscar.page, stuck, 'failed');
  expect((await simulator.ledger(stuck.source)).effects).toEqual([]);
  expect([...olive.problems, ...oscar.problems]).toEqual([]);
});

it('a discrepancy is closed with evidence, and leaves the queue', async () => {
  const stuck = await discrepantCharge(ready);
  const { page, problems } = await signIn('olive');
  await rowOf(page, stuck).getByText('Discrepancy').waitFor();
  await rowOf(page, stuck).getByRole('link', { name: stuck.reference }).click();
  await page.getByRole('alert').filter({ hasText: stuck.effect }).waitFor();
  await picture(page, 'desk-discrepancy');
  await page.getByRole('radio', { name: /^evidence_stands:/ }).check();
  await page.getByLabel('Evidence: what proves it').fill('line 7 of the statement');
  await page.getByLabel('Reason').fill('  ');
  const close = page.getByRole('button', { name: 'Close the discrepancy' });
  await close.click();
  await page.getByRole('alert').filter({ hasText: 'reason: must not be blank' }).waitFor();
  await page.getByRole('radio', { name: /^evidence_stands:/ }).check();
  await page.getByLabel('Evidence: what proves it').fill('line 7 of the statement');
  await page.getByLabel('Reason').fill('paid back at the provider');
  await close.click();
  await page.getByRole('status').filter({ hasText: 'Closed, and on record.' }).waitFor();
  await page.getByText('close: evidence_stands').waitFor();
  await picture(page, 'desk-closed');
  await page.getByRole('link', { name: 'Resolute desk' }).click();
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  expect(await rowOf(page, stuck).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('an effect without an intent has a line above the queue, and a form that closes it', async () => {
  const effect = await orphanEffect(ready);
  const { page, problems } = await signIn('oscar');
  await page.getByRole('link', { name: /Effects without an intent: \d/ }).click();
  const form = page.locator('form.decide').filter({ hasText: effect });
  await picture(page, 'desk-orphans');
  await form.getByLabel('Evidence').fill('listing of today');
  await form.getByLabel('Reason').fill('the tenant was told');
  await form.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('status').filter({ hasText: 'Closed, and on record.' }).waitFor();
  expect(await page.locator('form.decide').filter({ hasText: effect }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('is usable by keyboard alone, and every field has a name', async () => {
  const stuck = await stuckCharge(ready, { landed: true });
  const { page } = await signIn('olive');
  await page.goto(`${ready.api}/desk/intents/${stuck.id}`);
  for (const field of await page.locator('input:not([type=hidden])').all()) {
    const name = await field.evaluate(
      (one) => (one as unknown as { labels: { length: number } }).labels.length,
    );
    expect(name).toBeGreaterThan(0);
  }
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('statement line 9');
  await page.keyboard.press('Tab');
  await page.keyboard.type('found it');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /succeeded/ }).waitFor();
});

it('what a caller named cannot become markup', async () => {
  const { page, problems } = await signIn('olive');
  const stuck = await stuckCharge(ready, { landed: true });
  await page.goto(`${ready.api}/desk?show=%3Cscript%3Ealert(1)%3C/script%3E`);
  await rowOf(page, stuck).waitFor();
  expect(await page.locator('main script').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('says which part is down, and what still works without it', async () => {
  const { page } = await signIn('olive');
  const { temporal, postgres } = ready.pids;
  process.kill(temporal, 'SIGSTOP');
  try {
    await page.goto(`${ready.api}/desk`);
    await page.getByRole('alert').filter({ hasText: 'Temporal cannot be reached' }).waitFor();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await picture(page, 'desk-temporal-down');
  } finally {
    process.kill(temporal, 'SIGCONT');
  }
  // The supervisor starts another one within a second.
  process.kill(postgres, 'SIGKILL');
  const answer = await page.goto(`${ready.api}/desk`);
  expect(answer?.status()).toBe(503);
  await page.getByText('PostgreSQL cannot be reached').waitFor();
  await picture(page, 'desk-postgresql-down');
  await until('it is back', async () => {
    await page.goto(`${ready.api}/desk`);
    return (await page.getByRole('heading', { name: 'Queue' }).count()) === 1 || undefined;
  });
});

it('an empty queue says so', async () => {
  const { page } = await signIn('olive');
  await page.goto(`${ready.api}/desk?show=held_back`);
  await page.getByText('Nothing waits for anybody.').waitFor();
  await picture(page, 'desk-empty');
});

async function expectSoon(page: Page, { id }: StuckCharge, status: string): Promise<void> {
  await page.goto(`${ready.api}/desk/intents/${id}`);
  // The page renews itself: no reload here.
  await page.getByRole('heading', { name: new RegExp(status) }).waitFor();
}
