/** What a run prints: a table of figures, the goals, or one JSON object a line. Pure. */
import pc from 'picocolors';
import { isMet, type Goal } from './goals';
import { percentile, totalCpu, type Figures } from './statistics';
import { PROCESSES, type Recovery } from './words';

const FIGURES_HEAD = [
  'system',
  'clients',
  'outcomes/s',
  'p50 ms',
  'p99 ms',
  'CPU ms/outcome',
  ...PROCESSES,
];

/** One row a series and number of clients; CPU milliseconds per outcome by process at the right. */
export function figuresTable(figures: readonly Figures[]): string {
  return table([FIGURES_HEAD, ...figures.map(figuresRow)]);
}

function figuresRow({ cpuMs, ...one }: Figures): readonly string[] {
  const cpu = cpuMs === null ? ['–'] : [totalCpu(cpuMs), ...PROCESSES.map((name) => cpuMs[name])];
  return [
    one.series,
    String(one.clients),
    one.outcomesPerSecond.toFixed(1),
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    ...cpu.map((ms) => (typeof ms === 'number' ? ms.toFixed(1) : ms)),
  ];
}

/** One line a goal, with the spread over the rounds. */
export function goalLines(goals: readonly Goal[]): string {
  return goals.map(goalLine).join('\n');
}

function goalLine(goal: Goal): string {
  const { text, bound, atMost, unit, value, spread } = goal;
  const verdict =
    value === null ? pc.dim('–     ') : isMet(goal) ? pc.green('met   ') : pc.red('missed');
  const digits = unit === '×' ? 2 : bound >= 100 ? 0 : 1;
  const shown = (one: number): string => one.toFixed(digits);
  const rounds = spread === null ? '' : pc.dim(` (rounds ${shown(spread[0])}–${shown(spread[1])})`);
  const measured = value === null ? 'not measured' : `${shown(value)} ${unit}`;
  return `${verdict}  ${text}: ${measured}${rounds}, goal ${atMost ? '≤' : '≥'} ${bound} ${unit}`;
}

/** The lines of `--json`. */
export function jsonLines(figures: readonly Figures[], recoveries: readonly Recovery[]): string {
  const lines = figures.map((one) => ({
    system: one.series,
    clients: one.clients,
    outcomes_per_second: rounded(one.outcomesPerSecond),
    p50_ms: rounded(one.p50Ms),
    p99_ms: rounded(one.p99Ms),
    cpu_ms_per_outcome: one.cpuMs === null ? null : rounded(totalCpu(one.cpuMs)),
    cpu_ms_by_process: one.cpuMs === null ? null : roundedAll(one.cpuMs),
  }));
  return [...lines, ...recoveries.map(recoveryLine)].map((line) => JSON.stringify(line)).join('\n');
}

/** The latencies count from the kill. */
function recoveryLine({ system, intents, sending, resolvedAfterMs }: Recovery) {
  const last = Math.max(...resolvedAfterMs);
  return {
    system: `${system}-recovery`,
    clients: intents,
    outcomes_per_second: rounded((intents / last) * 1_000),
    p50_ms: rounded(percentile(resolvedAfterMs, 0.5)),
    p99_ms: rounded(percentile(resolvedAfterMs, 0.99)),
    cpu_ms_per_outcome: null,
    sending_when_killed: sending,
    last_ms: rounded(last),
  };
}

function roundedAll(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, rounded(ms)]));
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

/** The first column to the left, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  '),
    )
    .join('\n');
}
