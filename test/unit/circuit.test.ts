/** The circuit: a run of failures holds what is new, one answer lets it go, and nobody stampedes. */
import { afterAnswer, CLOSED, type Circuit, holdOf, OPEN_AFTER } from '../../domain/circuit';
import { type Finding } from '../../domain/journal';
import { place } from '../../domain/spread';
import { standing } from '../../domain/standing';
import {
  APPLIED,
  at,
  attempt,
  DECLINED,
  FULL,
  journal,
  LOST,
  NOT_SENT,
  seen,
} from '../support/journal-of';

interface Told {
  readonly finding?: Finding;
  readonly intentId?: string;
  readonly openedAt?: number;
}

const tell = (circuit: Circuit, now: number, told: Told = {}): Circuit =>
  afterAnswer(circuit, { intentId: `i-${now}`, finding: NOT_SENT, openedAt: now, ...told }, now);

/** Failures of different intents, a millisecond apart, the last one at `OPEN_AFTER`. */
const opened = (finding: Finding = NOT_SENT): Circuit =>
  Array.from({ length: OPEN_AFTER }, (_, index) => index + 1).reduce(
    (circuit, now) => tell(circuit, now, { finding }),
    CLOSED,
  );

describe('it opens', () => {
  test.each<[string, Finding]>([
    ['when nobody can be reached', NOT_SENT],
    ['when no answer comes', LOST],
  ])('%s, for a second', (_, finding) => {
    expect(holdOf(opened(finding), OPEN_AFTER)).toEqual({
      since: OPEN_AFTER,
      until: OPEN_AFTER + 1_000,
      spreadMs: 5_000,
    });
  });

  test('not before the run is long enough', () => {
    const almost = Array.from({ length: OPEN_AFTER - 1 }, (_, index) => index).reduce(
      (circuit, now) => tell(circuit, now),
      CLOSED,
    );
    expect(holdOf(almost, OPEN_AFTER)).toBeUndefined();
  });

  test('not by one intent that fails again and again', () => {
    let circuit = CLOSED;
    for (let now = 0; now < 100; now += 1) circuit = tell(circuit, now, { intentId: 'one' });
    expect(holdOf(circuit, 100)).toBeUndefined();
  });

  test('not by failures that are far apart, nor with answers in between', () => {
    let apart = CLOSED;
    for (let n = 0; n < 50; n += 1) apart = tell(apart, n * 10_001);
    expect(apart.openUntil).toBeNull();
    let mixed = CLOSED;
    for (let n = 0; n < 50; n += 1) {
      mixed = tell(mixed, n, n % OPEN_AFTER === 5 ? { finding: DECLINED } : {});
    }
    expect(mixed.openUntil).toBeNull();
  });

  test('for as long as Retry-After says, and what was sent before may lengthen it', () => {
    const retryIn = (ms: number): Finding => ({ kind: 'not_sent', why: '429', retryAfterMs: ms });
    const first = opened(retryIn(60_000));
    expect(first.openUntil).toBe(OPEN_AFTER + 60_000);
    const later = tell(first, 500, { finding: retryIn(60_000) });
    expect(later.openUntil).toBe(60_500);
    expect([later.trips, holdOf(later, 600)?.spreadMs]).toEqual([1, 60_000]);
  });
});

test('each probe that fails doubles the time, up to 15 s; one that is answered closes it', () => {
  let circuit = opened();
  const times: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const due = circuit.openUntil ?? 0;
    circuit = tell(circuit, due);
    times.push((circuit.openUntil ?? 0) - due);
  }
  expect(times).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  const due = circuit.openUntil ?? 0;
  expect(tell(circuit, due + 50, { finding: APPLIED, openedAt: due })).toEqual(CLOSED);
});

test('an answer to what was sent before it opened closes nothing', () => {
  const late = tell(opened(), 500, { finding: APPLIED, openedAt: 3 });
  expect(holdOf(late, 500)).toBeDefined();
});

test('while the probe is under way the others are held, and after its time the next may try', () => {
  const probed = { ...opened(), probeUntil: 4_000 };
  expect(holdOf(probed, 3_999)).toMatchObject({ until: 4_000 });
  expect(holdOf(probed, 4_000)).toBeUndefined();
});

describe('an intent of a provider that is down', () => {
  const hold = { since: 0, until: 10_000, spreadMs: 5_000 };
  const held = (createdAt: number, second: number) =>
    standing(at(second, FULL, { ...journal([]), createdAt, hold }));

  test('stays accepted, says why and has a next step; then it is sent', () => {
    const now = held(1_000, 9);
    expect([now.status, now.step.kind]).toEqual(['accepted', 'wait']);
    expect(now.reason).toMatch(/^Held: the provider is down/);
    expect(now.nextStepAt).toBeGreaterThanOrEqual(10_000);
    expect(now.nextStepAt).toBeLessThan(15_000);
    expect(held(1_000, 15).step.kind).toBe('send');
  });

  test('can be canceled', () => {
    const canceled = { ...journal([]), hold, cancelRequestedAt: 1 };
    expect(standing(at(9, FULL, canceled)).status).toBe('canceled');
  });

  test('comes back at a place of its own: two hundred are spread evenly', () => {
    const places = Array.from(
      { length: 200 },
      (_, index) => held(1_000 + index, 9).nextStepAt ?? 0,
    );
    const perSecond = [10, 11, 12, 13, 14].map(
      (second) => places.filter((one) => Math.floor(one / 1_000) === second).length,
    );
    expect(perSecond.reduce((sum, count) => sum + count)).toBe(200);
    expect(Math.max(...perSecond)).toBeLessThan(60);
  });
});

describe('B133: a Retry-After', () => {
  const refused = (openedAt: number) =>
    standing(
      at(
        (openedAt + 20) / 1_000,
        { ...FULL, jitterPercent: 20 },
        journal(
          [attempt(1, openedAt / 1_000)],
          [
            seen(
              'response',
              { kind: 'not_sent', why: 'rate limited (429)', retryAfterMs: 60_000 },
              { attempt: 1, asked: openedAt / 1_000, at: (openedAt + 10) / 1_000 },
            ),
          ],
        ),
      ),
    ).nextStepAt ?? 0;

  test('is heeded by all and followed by no more than a fifth in any second', () => {
    const waits = Array.from({ length: 200 }, (_, index) => refused(index) - (index + 10));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60_000);
    expect(Math.max(...waits)).toBeLessThan(120_000);
    const perSecond = new Map<number, number>();
    for (const wait of waits) {
      const second = Math.floor(wait / 1_000);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(40);
  });
});

test('places are spread evenly over neighbouring moments, and always the same', () => {
  const moments = Array.from({ length: 10_000 }, (_, index) => 1_796_052_557_000 + index);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const moment of moments) {
    const tenth = Math.floor(place(moment) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(Math.min(...tenths)).toBeGreaterThan(900);
  expect(place(1_796_052_557_123)).toBe(place(1_796_052_557_123));
});

test('a contract recorded without jitter waits as it always did', () => {
  const first = journal([attempt(1, 0)], [seen('response', LOST, { attempt: 1, asked: 0, at: 1 })]);
  expect(standing(at(1, FULL, first)).nextStepAt).toBe(1_200);
  const jittered = standing(at(1, { ...FULL, jitterPercent: 20 }, first)).nextStepAt ?? 0;
  expect(jittered).toBeGreaterThanOrEqual(1_200);
  expect(jittered).toBeLessThanOrEqual(1_240);
});
