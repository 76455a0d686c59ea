/**
 * Every golden history replays on the present code, asks for the same activities with the same
 * arguments, and ends with the same result. No server is needed.
 */
import { join } from 'node:path';
import { type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { goldenHistories } from '../../replay/golden-histories';
import {
  bundleForReplay,
  type History,
  replayHistory,
  silenceReplays,
} from '../../replay/replay-history';
import { isCommanded } from '../../replay/recorded-commands';
import { replayAll, reportText } from '../../replay/replay-report';

const FOLDER = join(__dirname, 'histories', 'settle-intent');
const CASES = goldenHistories(FOLDER).map(({ name }) => name);
const PLANTED = require.resolve('./planted-change');

let bundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  silenceReplays();
  bundle = await bundleForReplay();
});

/** Read anew for each test, which may change it. */
function load(name: string): History {
  const found = goldenHistories(FOLDER).find((one) => one.name.endsWith(name));
  if (found === undefined) throw new Error(`no history ${name}`);
  return found.history;
}

it('B114: holds a history of every branch', () => {
  const names = CASES.map((name) => name.split('/')[1]);
  for (const branch of [
    'happy',
    'decline',
    'lost-answer-found',
    'lost-answer-absent-sent-again',
    'pending-then-succeeded',
    'in-review-open',
    'decided-applied',
    'decided-not-applied',
    'decided-retry',
    'canceled-and-voided',
    'request-cancellation',
    'asked-now-open',
    'continued-as-new',
    'continued-as-new-successor',
    'local-send',
    'local-send-slow',
    'local-send-lost-answer',
  ]) {
    expect(names).toContain(branch);
  }
});

describe.each(CASES)('%s', (name) => {
  it('replays, with the same activities, arguments and result', async () => {
    expect(await replayHistory(bundle, load(name))).toEqual({ kind: 'survives' });
  });
});

it('B116: a run may be fetched at any moment of its life: no false alarm', async () => {
  for (const name of ['/happy', '/lost-answer-found', '/local-send-slow']) {
    const events = load(name).events ?? [];
    for (let length = 2; length <= events.length; length += 1) {
      // The server appends a completed workflow task and its commands in one transaction; the next task
      // too, where the worker asks for one because a local activity goes on.
      const [last, next] = [events[length - 1], events[length]];
      if (next !== undefined && isCommanded(next)) continue;
      if (
        last?.workflowTaskCompletedEventAttributes &&
        next?.workflowTaskScheduledEventAttributes
      ) {
        continue;
      }
      const verdict = await replayHistory(bundle, { events: events.slice(0, length) });
      expect({ name, length, ...verdict }).toEqual({ name, length, kind: 'survives' });
    }
  }
});

describe('negative controls: the gate refuses', () => {
  it('another activity name', async () => {
    const history = load('/happy');
    for (const event of history.events ?? []) {
      const type = event.activityTaskScheduledEventAttributes?.activityType;
      if (type) type.name = 'sendTwice';
    }
    const verdict = await replayHistory(bundle, history);
    expect(verdict).toMatchObject({
      kind: 'breaks',
      how: expect.stringContaining('Determinism') as string,
    });
  });

  it('another argument, which a replay alone does not notice', async () => {
    const history = load('/happy');
    for (const event of history.events ?? []) {
      const payload = event.activityTaskScheduledEventAttributes?.input?.payloads?.[0];
      if (payload?.data) {
        const changed = Buffer.from(payload.data).toString().replace('"number":1', '"number":2');
        payload.data = Buffer.from(changed);
      }
    }
    const verdict = await replayHistory(bundle, history);
    expect(verdict).toMatchObject({
      kind: 'breaks',
      how: expect.stringMatching(/command 1 was .*"number":2.*, is .*"number":1/) as string,
    });
  });

  it('another local activity', async () => {
    const history = load('/local-send');
    for (const { markerRecordedEventAttributes: marker } of history.events ?? []) {
      const payload = marker?.details?.['data']?.payloads?.[0];
      if (payload?.data) {
        const changed = Buffer.from(payload.data).toString().replace('"send"', '"sendTwice"');
        payload.data = Buffer.from(changed);
      }
    }
    expect(await replayHistory(bundle, history)).toMatchObject({ kind: 'breaks' });
  });

  it('a first send that is no local activity any more', async () => {
    const history = load('/local-send');
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    const payload = started?.input?.payloads?.[0];
    if (!payload?.data) throw new Error('the history begins without an input');
    const changed = Buffer.from(payload.data)
      .toString()
      .replace('"firstSend":"local-activity"', '"firstSend":"activity"');
    payload.data = Buffer.from(changed);
    expect(await replayHistory(bundle, history)).toMatchObject({ kind: 'breaks' });
  });

  it('another result', async () => {
    const history = load('/happy');
    const closing = history.events?.at(-1)?.workflowExecutionCompletedEventAttributes;
    const payload = closing?.result?.payloads?.[0];
    if (!payload) throw new Error('the happy history does not end with a result');
    payload.data = Buffer.from('{"outcome":"failed"}');
    expect(await replayHistory(bundle, history)).toMatchObject({ kind: 'breaks' });
  });

  it('workflow code with a planted change, and says which histories it breaks', async () => {
    const planted = await bundleForReplay(PLANTED);
    const report = await replayAll(planted, goldenHistories(FOLDER));
    expect(report.broken.map((one) => one.name)).toEqual(CASES);
    expect(reportText('golden', report)).toContain(`${CASES.length} would break`);
    expect(reportText('golden', report)).toContain('Determinism');
  });
});
