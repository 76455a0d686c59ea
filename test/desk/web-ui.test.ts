/**
 * The Temporal Web UI as the operators' desk: the clicks are those of "A stuck charge" in docs/runbook.md,
 * and what is pressed is found by the page's own words.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Locator, type Page } from 'playwright-core';
import { PROJECT_ROOT } from '../../local/project-root';
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

interface Listed {
  /** Name of the ready-made list. */
  readonly list: string;
  readonly stuck: StuckCharge;
  readonly count: number;
}

/** The list does not renew itself, and visibility is a moment behind. */
async function untilListed(page: Page, { list, stuck, count }: Listed): Promise<void> {
  await until(`${count} row(s) of ${stuck.workflowId}`, async () => {
    await page.goto(linkTo(list));
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

/** What the steps of the page call the things to press, in their order. */
function words(): readonly string[] {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'runbook.md'), 'utf8');
  const [, steps = ''] = /^\*\*A stuck charge[^]*?$([^]*?)^With pictures/m.exec(page) ?? [];
  return [...steps.matchAll(/_([A-Z][A-Za-z ]+)_|choose `(\w+)`/g)].map(
    ([, pressed, chosen]) => pressed ?? chosen ?? '',
  );
}

/** Every menu exists twice, for wide and narrow screens: what is seen is pressed. */
function seen(within: Page | Locator, word: string): Locator {
  return within.getByText(word, { exact: true }).filter({ visible: true }).first();
}

async function fillIn(page: Page, data: Locator, form: string): Promise<void> {
  await data.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  // Of compact JSON the form reformats and loses the first click; the template is not compact.
  await page.keyboard.insertText(form);
}

it(
  'a stuck charge is decided by the words of the runbook, in under a minute',
  async () => {
    const [list = '', tab = '', panel = '', menu = '', update = '', name = '', ...rest] = words();
    const [data = '', submit = '', again] = rest;
    expect([tab, panel, again]).toEqual(['User Metadata', 'Current Details', 'Current Details']);
    const stuck = await stuckCharge(ready, { landed: true });
    const simulator = simulatorClient(ready.simulator_admin);
    const { page } = await openPage(browser);

    const began = performance.now();
    await untilListed(page, { list, stuck, count: 1 });
    await picture(page, 'web-ui-in-review');
    await rowOf(page, stuck).getByRole('link', { name: stuck.workflowId, exact: true }).click();
    await page.getByTestId('workflow-id-heading').filter({ hasText: stuck.workflowId }).waitFor();
    await seen(page, tab).click();
    await seen(page, panel).waitFor();
    const details = page.locator('iframe[title=output]').last().contentFrame();
    await details.locator('h3').first().waitFor();
    await picture(page, 'web-ui-details');
    const story = (await details.locator('body').textContent()) ?? '';
    expect(story).toMatch(/in_review[^]*attempt 1 opened/);

    // The statement is the ledger: by the reference that the details tell.
    const [, reference] = /reference (rs-[0-9a-f]+-a)/.exec(story) ?? [];
    const { effects } = await simulator.ledger(stuck.source);
    const found = effects.find((one) => one.reference === reference);
    expect(found?.amount).toBe(1_000);

    const template = (await details.locator('pre').last().textContent()) ?? '';
    const filled = template
      .replace('your name', 'olive')
      .replace('why you decide so', 'the payer shows the receipt');
    await seen(page, menu).click();
    await seen(page, update).click();
    const dialog = page.locator('[data-testid=update-confirmation-modal][open]');
    await dialog.getByTestId('update-select-button').click();
    await dialog
      .getByRole('option')
      .filter({ has: page.getByText(name, { exact: true }) })
      .click();
    const field = dialog.getByRole('textbox', { name: data });
    await fillIn(page, field, filled);
    await seen(dialog, submit).click();
    await dialog.getByRole('alert').filter({ hasText: 'evidence' }).waitFor();
    await picture(page, 'web-ui-refused');
    await fillIn(page, field, filled.replace('what proves it', `statement: ${found?.id ?? ''}`));
    await seen(dialog, submit).click();
    await dialog.waitFor({ state: 'hidden' });
    await untilListed(page, { list, stuck, count: 0 });
    expect(performance.now() - began).toBeLessThan(60_000);

    const { calls, ...after } = await simulator.ledger(stuck.source);
    const counts = { effects: after.effects.length, calls: calls.length };
    expect(counts).toEqual({ effects: 1, calls: 1 });
    await page.goto(`${ready.desk}/${stuck.workflowId}`);
    await seen(page, tab).click();
    await details.locator('h3').filter({ hasText: 'succeeded' }).waitFor();
    await picture(page, 'web-ui-ended');
  },
  LIMIT_MS,
);
