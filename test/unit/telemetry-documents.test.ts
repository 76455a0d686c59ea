/**
 * The table of metrics (`telemetry/catalog.ts`) and everything that must agree with it: what the
 * processes make, docs/telemetry.md, the alerts and the dashboard, which ask for no metric and no label
 * that does not exist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Registry } from 'prom-client';
import { parse } from 'yaml';
import { METRICS } from '../../telemetry/catalog';
import { createGatewayMetrics } from '../../telemetry/gateway-metrics';
import { createWorkerMetrics } from '../../telemetry/worker-metrics';
import { namesAndLabels } from '../support/promql';
import { ROOT } from '../support/program-sources';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/resolute.json')) as {
  readonly panels: readonly Panel[];
};

/** What the sections of the runbook are called. */
const ANCHORS = [
  ...['provider-down', 'provider-slow', 'answers-lost', 'many-in-review', 'temporal-down'],
  ...['postgresql-down', 'wrong-contract', 'key-rotation', 'discrepancy', 'worker-gone'],
  'restored-backup',
];

/** Those of the SDK that alerts and dashboard use, with their labels. */
const OF_THE_SDK: ReadonlyMap<string, readonly string[]> = new Map([
  ['temporal_workflow_task_execution_failed_total', ['failure_reason', 'task_queue']],
  ['temporal_workflow_task_schedule_to_start_latency_seconds_bucket', ['task_queue', 'le']],
  ['temporal_activity_schedule_to_start_latency_seconds_bucket', ['task_queue', 'le']],
]);

/** Every series that can be asked for, with its labels. */
function series(): ReadonlyMap<string, readonly string[]> {
  const ours = METRICS.flatMap(({ name, kind, labels }) =>
    kind === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']] as const,
          [`${name}_sum`, labels] as const,
          [`${name}_count`, labels] as const,
        ]
      : [[name, labels] as const],
  );
  return new Map([...ours, ...OF_THE_SDK, ['nodejs_eventloop_lag_p99_seconds', []], ['up', []]]);
}

const FROM_PROMETHEUS = ['instance', 'job'];

function unknownIn(expression: string): readonly string[] {
  const known = series();
  return namesAndLabels(expression).flatMap(({ name, labels }) => {
    const its = known.get(name);
    if (its === undefined) return [name];
    const strange = labels.filter((label) => ![...its, ...FROM_PROMETHEUS].includes(label));
    return strange.map((label) => `${name}{${label}}`);
  });
}

describe('the processes make what the table says', () => {
  const made = async (registry: Registry) =>
    (await registry.getMetricsAsJSON())
      .filter(({ name }) => name.startsWith('resolute_'))
      .map(({ name, help, type }) => ({ name, help, type: String(type) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  const wanted = (program: string) =>
    METRICS.filter(({ servedBy }) => servedBy.split(', ').includes(program))
      .map(({ name, meaning, kind }) => ({ name, help: meaning, type: kind }))
      .sort((one, other) => one.name.localeCompare(other.name));

  test('the api', async () => {
    expect(await made(createGatewayMetrics([]).registry)).toEqual(wanted('api'));
  });

  test('the worker', async () => {
    expect(await made(createWorkerMetrics([]).registry)).toEqual(wanted('worker'));
  });
});

describe('the table', () => {
  it('has each name once, as Prometheus wants them', () => {
    expect(new Set(METRICS.map(({ name }) => name)).size).toBe(METRICS.length);
    const odd = METRICS.filter(
      ({ name, kind }) =>
        !/^resolute_[a-z_]+$/.test(name) || (kind === 'counter') !== name.endsWith('_total'),
    );
    expect(odd).toEqual([]);
  });

  it('INV-12: has no label that could hold a tenant, an intent or a key', () => {
    const allowed = [
      ...['operation', 'provider', 'status', 'path', 'source', 'finding', 'call', 'effect'],
      ...['method', 'route', 'problem'],
    ];
    const labels = new Set(METRICS.flatMap((metric) => metric.labels));
    expect([...labels].filter((label) => !allowed.includes(label))).toEqual([]);
  });

  it('is shown by docs/telemetry.md, row by row', () => {
    const shown = read('docs/telemetry.md')
      .split('\n')
      .filter((line) => line.startsWith('| `resolute_'))
      .map((line) => line.split('|').slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim()));
    const rows = METRICS.map(({ name, kind, labels, servedBy, meaning }) => [
      `\`${name}\``,
      kind,
      labels.join(', '),
      servedBy,
      meaning,
    ]);
    expect(shown).toEqual(rows);
  });
});

describe('deploy/prometheus/alerts.yml', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for what exists and leads to the runbook',
    (_name, { expr, labels, annotations }) => {
      expect(namesAndLabels(expr).length).toBeGreaterThan(0);
      expect(unknownIn(expr)).toEqual([]);
      expect(['page', 'ticket']).toContain(labels['severity']);
      expect(annotations.summary).not.toBe('');
      const [file, anchor = ''] = annotations.runbook.split('#');
      expect(file).toBe('docs/runbook.md');
      expect(ANCHORS).toContain(anchor);
    },
  );

  it('has one at least for each section of the runbook', () => {
    const named = rules.map(({ annotations }) => annotations.runbook.split('#')[1]);
    expect(new Set(named)).toEqual(new Set(ANCHORS));
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

describe('deploy/grafana/resolute.json', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  it.each(panels.map((panel) => [panel.title, panel] as const))(
    '%s asks for what exists',
    (_title, { targets = [] }) => {
      expect(targets.length).toBeGreaterThan(0);
      expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    },
  );

  it('shows every metric', () => {
    const shown = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => namesAndLabels(expr).map(({ name }) => name)),
    );
    const bases = new Set(shown.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect(METRICS.map(({ name }) => name).filter((name) => !bases.has(name))).toEqual([]);
  });
});

test('the SDK has the metrics that are asked of it', () => {
  const releases = join(ROOT, 'node_modules/@temporalio/core-bridge/releases');
  const [some = ''] = readdirSync(releases).filter((name) => name.includes('linux-gnu'));
  const core = readFileSync(join(releases, some, 'index.node'));
  const names = [...OF_THE_SDK.keys()].map((name) =>
    name.replace(/^temporal_/, '').replace(/(_total|_seconds_bucket)$/, ''),
  );
  expect(names.filter((name) => !core.includes(name))).toEqual([]);
});

test('a question about what does not exist is found', () => {
  expect(unknownIn('sum by (tenant) (rate(resolute_outcomes_total{state="x"}[5m]))')).toEqual([
    'resolute_outcomes_total{state}',
    'resolute_outcomes_total{tenant}',
  ]);
  expect(unknownIn('max(resolute_oldest) > 4 * 3600 or absent(up{job="x"} == 1)')).toEqual([
    'resolute_oldest',
  ]);
  expect(unknownIn('resolute_wait_seconds')).toEqual(['resolute_wait_seconds']);
});
