/** The Temporal Web UI as the operators' desk, by the clicks of a person following the runbook. */
import { type Browser, type Page } from 'playwright-core';
import { deskLinks } from '../../orchestration/desk-links';
import { openBrowser, openPage, picture } from '../support/browser';
import { sharedStack } from '../support/shared-stack';
import { simulatorClient } from '../support/simulator-client';
import { type StuckCharge, stuckCharge } from '../support/stuck-charge';
import { until } from '../support/until';

const { ready } = sharedStack();
const LIMIT_MS = 120_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

function linkTo(name: string): string {
  const links = deskLinks({ deskUrl: ready.desk, now: new Date() });
  const url = links.find((one) => one.name === name)?.url;
  if (url === undefined) throw new Error(`no link ${name}`);
  return url;
}

function rowOf(page: Page, { workflowId }: StuckCharge) {
  return page
    .getByTestId('workflows-summary-configurable-table-row')
    .filter({ hasText: workflowId });
}

/** The list does not renew itself, and visibility is a moment behind. */
async function untilListed(page: Page, stuck: StuckCharge, count: number): Promise<void> {
  await until(`${count} row(s) of ${stuck.workflowId}`, async () => {
    await page.goto(linkTo('In review'));
    await page.getByTestId('workflow-count').waitFor();
    const found = await rowOf(page, stuck)
      .first()
      .waitFor({ timeout: count === 0 ? 500 : 3_000 })
      .then(
        () => 1,
        () => 0,
      );
    return found === count || undefined;
  });
}

async function openUpdate(page: Page, name: string) {
  await page.locator('button[aria-controls=workflow-actions]:visible').click();
  await page.locator('[data-testid=update-button]:visible').click();
  const dialog = page.locator('[data-testid=update-confirmation-modal][open]');
  await dialog.getByTestId('update-select-button').click();
  const named = page.getByText(name, { exact: true });
  await dialog.getByRole('option').filter({ has: named }).click();
  return dialog;
}

async function send(page: Page, dialog: ReturnType<Page['locator']>, form: unknown): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Data' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  // Of compact JSON the form reformats and loses the first click.
  await page.keyboard.insertText(JSON.stringify(form, null, 2));
  await dialog.getByTestId('confirm-modal-button').click();
}

it(
  'a stuck charge is found by its link, understood, decided and gone, in the Web UI alone',
  async () => {
    const stuck = await stuckCharge(ready, { landed: true });
    const { page } = await openPage(browser);
    await untilListed(page, stuck, 1);
    await picture(page, 'web-ui-in-review');
    await rowOf(page, stuck).getByRole('link', { name: stuck.workflowId, exact: true }).click();
    await page.getByTestId('workflow-id-heading').filter({ hasText: stuck.workflowId }).waitFor();
    await page.getByTestId('user-metadata-tab').click();
    const details = page.locator('iframe[title=output]').last().contentFrame();
    await details.locator('h3').first().waitFor();
    await picture(page, 'web-ui-details');
    const story = (await details.locator('body').textContent()) ?? '';
    expect(story).toContain('in_review');
    expect(story).toContain('attempt 1 opened');
    expect(story).toContain('"decision_id"');

    const dialog = await openUpdate(page, 'decide');
    const decision = {
      decision_id: `web-ui-${stuck.id}`,
      operator: 'olive',
      decision: 'applied',
      reason: 'the payer shows the receipt',
    };
    await send(page, dialog, decision);
    await dialog.getByRole('alert').filter({ hasText: 'evidence' }).waitFor();
    await picture(page, 'web-ui-refused');
    await send(page, dialog, { ...decision, evidence: 'line 7 of the statement' });
    await dialog.waitFor({ state: 'hidden' });

    await untilListed(page, stuck, 0);
    const { effects, calls } = await simulatorClient(ready.simulator_admin).ledger(stuck.source);
    expect({ effects: effects.length, calls: calls.length }).toEqual({ effects: 1, calls: 1 });
    await page.goto(`${ready.desk}/${stuck.workflowId}`);
    await page.getByTestId('user-metadata-tab').click();
    await details.locator('h3').filter({ hasText: 'succeeded' }).waitFor();
    await picture(page, 'web-ui-ended');
  },
  LIMIT_MS,
);
