/** A real browser for the operators' tests. Fails where there is none: a skipped test would prove nothing. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Outside of the tracked files, unless the pictures of the docs are to be renewed. */
const PICTURES =
  process.env['DESK_PICTURES'] ?? join(__dirname, '..', '..', '.resolute', 'pictures');

/** Starts it. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`No browser at ${CHROMIUM}: install Debian's chromium, or set CHROMIUM.`);
  }
  // Containers run as root and without user namespaces.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** A tab; a script error in it, or a content blocked by policy, fails the test that reads `problems`. */
export async function openPage(browser: Browser): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && /Content Security Policy/i.test(line.text())) {
      problems.push(line.text());
    }
  });
  return { page, problems };
}

/** Keeps a picture of what is seen. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
