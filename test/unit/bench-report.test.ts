import { goalsOf, isMet } from '../../bench/goals';
import { figuresTable, goalLines, jsonLines } from '../../bench/report';
import { figuresOf, median, pairedRatios, percentile, throughput } from '../../bench/statistics';
import { type Measurement, type SeriesName } from '../../bench/words';

/** 64 outcomes, one of them slow. */
function measured(series: SeriesName, round: number, elapsedMs: number): Measurement {
  const latenciesMs = [...Array.from({ length: 63 }, () => 10), 500];
  const cpuMs = { server: 64, worker: 640, temporal: 1_280, postgres: 64, provider: 0 };
  return { series, clients: 64, round, elapsedMs, latenciesMs, cpuMs, afterworkMs: 0 };
}

const RUN = [
  measured('resolute', 1, 1_000),
  measured('naive-temporal', 1, 2_000),
  measured('empty-temporal', 1, 500),
  measured('resolute', 2, 4_000),
  measured('naive-temporal', 2, 4_000),
];

describe('the benchmark', () => {
  test('a percentile is a value that was measured, whatever the order', () => {
    expect(percentile([3, 1, 2], 0.5)).toBe(2);
    expect(percentile([4, 1, 3, 2], 0.99)).toBe(4);
    expect(percentile([7], 0.01)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test('the median of an even number of values lies between the middle two', () => {
    expect(median([1, 4, 2, 3])).toBe(2.5);
    expect(median([5, 1, 3])).toBe(3);
  });

  test('rounds of one series are pooled', () => {
    const [own] = figuresOf(RUN);
    expect(own).toMatchObject({ series: 'resolute', clients: 64, p50Ms: 10, p99Ms: 500 });
    expect(own?.outcomesPerSecond).toBeCloseTo(128 / 5);
    expect(own?.cpuMs).toMatchObject({ server: 1, worker: 10, temporal: 20 });
  });

  test('ratios are taken within a round, and a round that lacks one side is left out', () => {
    const compare = (to: SeriesName) =>
      pairedRatios(RUN, { of: 'resolute', to, clients: 64, by: throughput });
    expect(compare('naive-temporal')).toEqual([2, 1]);
    expect(compare('empty-temporal')).toEqual([0.5]);
    expect(compare('table')).toEqual([]);
  });

  test('a goal is met by the median round, and never when nothing was measured', () => {
    const resolvedAfterMs = [4_000, 7_001];
    const recovery = { system: 'resolute', intents: 2, sending: 2, resolvedAfterMs } as const;
    const goals = goalsOf(RUN, [recovery]);
    const verdicts = goals.map((goal) => [goal.value, isMet(goal)]);
    expect(verdicts).toEqual([
      [1.5, true],
      [0.5, false],
      [null, false],
      [0, true],
      [7_001, false],
      // Nothing was sent as a local activity in this run, and nothing was repeated.
      [null, false],
      [null, false],
      [null, false],
      [null, false],
      [null, false],
      [null, false],
    ]);
    expect(goalLines(goals)).toContain('not measured');
  });

  test('a report holds a row for each series, and JSON an object a line', () => {
    const figures = figuresOf(RUN);
    expect(figuresTable(figures).split('\n')).toHaveLength(4);
    const lines = jsonLines(figures, []).split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      system: 'resolute',
      clients: 64,
      outcomes_per_second: 25.6,
      p50_ms: 10,
      p99_ms: 500,
      cpu_ms_per_outcome: 32,
    });
  });

  test('where CPU times are not told, everything else is', () => {
    const silent = RUN.map((one) => ({ ...one, cpuMs: null }));
    const figures = figuresOf(silent);
    expect(figuresTable(figures)).toContain('–');
    expect(jsonLines(figures, [])).toContain('"cpu_ms_per_outcome":null');
    expect(goalsOf(silent, []).map(({ value }) => value)).toEqual([
      1.5,
      0.5,
      ...Array.from({ length: 9 }, () => null),
    ]);
  });
});
