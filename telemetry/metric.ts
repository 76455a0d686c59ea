/** Metrics of the catalog as the client library's, in a registry of one process. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Metric } from './catalog';

type Kind<K extends Metric['kind'], Label extends string> = Metric & {
  readonly kind: K;
  readonly labels: readonly Label[];
};

/** A counter; without labels it begins at 0. */
export function counter<Label extends string>(
  registry: Registry,
  metric: Kind<'counter', Label>,
): Counter<Label> {
  return new Counter(optionsOf(registry, metric));
}

/** A gauge; without labels it begins at 0. */
export function gauge<Label extends string>(
  registry: Registry,
  metric: Kind<'gauge', Label>,
): Gauge<Label> {
  return new Gauge(optionsOf(registry, metric));
}

/** A histogram with the metric's own buckets. */
export function histogram<Label extends string>(
  registry: Registry,
  metric: Kind<'histogram', Label> & { readonly buckets: readonly number[] },
): Histogram<Label> {
  return new Histogram({ ...optionsOf(registry, metric), buckets: [...metric.buckets] });
}

function optionsOf<Label extends string>(
  registry: Registry,
  { name, meaning, labels }: { readonly labels: readonly Label[] } & Metric,
) {
  return { name, help: meaning, labelNames: [...labels], registers: [registry] };
}
