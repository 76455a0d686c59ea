/** What the golden histories hold of options and numbers: promises about every run, open ones too. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenHistories } from '../../replay/golden-histories';
import { PROJECT_ROOT } from '../../local/project-root';

const HISTORIES = goldenHistories(
  join(PROJECT_ROOT, 'test', 'replay', 'histories', 'settle-intent'),
);
const EVENTS = HISTORIES.flatMap(({ history }) => history.events ?? []);

test('B110: every activity states its time-outs and its retries, and a send is never retried', () => {
  const scheduled = EVENTS.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  expect(new Set(scheduled.map(({ activityType }) => activityType?.name))).toEqual(
    new Set(['send', 'lookUp', 'record', 'decide', 'cancel']),
  );
  for (const { activityType, retryPolicy, startToCloseTimeout } of scheduled) {
    expect(Number(startToCloseTimeout?.seconds)).toBeGreaterThan(0);
    // Without a policy of ours the server's own has another longest interval: 100 s.
    const [most, interval] = [retryPolicy?.maximumAttempts, retryPolicy?.maximumInterval?.seconds];
    if (activityType?.name === 'send') expect(most).toBe(1);
    else expect(Number(interval)).toBeLessThanOrEqual(30);
  }
});

test('B110: no activity is called with the options that Temporal has by default', () => {
  const folder = join(PROJECT_ROOT, 'workflows');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/proxy(?:Local)?Activities<[^]*?^ *}\);/gm),
  ]);
  expect(calls.length).toBeGreaterThanOrEqual(6);
  for (const [call] of calls) expect(call).toMatch(/startToCloseTimeout: [^]*retry: \{/);
});

test('B125: Temporal holds no number of an intent that is not a safe integer', () => {
  const payloads = EVENTS.flatMap((event) => payloadsIn(event));
  expect(payloads.length).toBeGreaterThan(EVENTS.length / 10);
  expect(payloads.flatMap(numbersIn).filter((number) => !Number.isSafeInteger(number))).toEqual([]);
});

/** The decoded bytes of everything that has the shape of a JSON payload. */
function payloadsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const { data, metadata } = value as { readonly data?: unknown; readonly metadata?: unknown };
  if (data instanceof Uint8Array && metadata !== undefined) {
    return [JSON.parse(Buffer.from(data).toString('utf8'))];
  }
  return Object.values(value).flatMap(payloadsIn);
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
