/**
 * Metrics of what the store committed: counted when it is told so, which is after the commit and once.
 * The counts agree with the tables, but for commits whose acknowledgement was lost.
 */
import { type Registry } from 'prom-client';
import { type Committed } from '../domain/committed';
import { type Journal } from '../domain/journal';
import { isFinal } from '../domain/status';
import { COMMIT_METRICS } from './catalog';
import { counter, histogram } from './metric';

type Moved = Extract<Committed, { kind: 'moved' }>;

/** Makes them and returns the observer; what alarms at once begins at 0 for each provider. */
export function createCommitMetrics(registry: Registry, providers: Iterable<string>) {
  const all = COMMIT_METRICS;
  const redundantEffectsSeen = counter(registry, all.redundantEffectsSeen);
  const findings = counter(registry, all.findings);
  const discrepanciesOpened = counter(registry, all.discrepanciesOpened);
  const moves = createMoveMetrics(registry);
  for (const provider of providers) redundantEffectsSeen.inc({ provider }, 0);

  return function committed(what: Committed): void {
    const { operation, provider } = what;
    switch (what.kind) {
      case 'found':
        findings.inc({ provider, source: what.source, finding: what.finding.kind });
        break;
      case 'moved':
        moves.count(what);
        if (what.isDoubled && what.to === 'in_review') redundantEffectsSeen.inc({ provider });
        break;
      case 'contradicted':
        discrepanciesOpened.inc({ operation, provider });
        break;
    }
  };
}

/** What is counted of an intent that reached a person or its end. */
function createMoveMetrics(registry: Registry) {
  const all = COMMIT_METRICS;
  const outcomes = counter(registry, all.outcomes);
  const reviews = counter(registry, all.reviews);
  const attemptsUsedUp = counter(registry, all.attemptsUsedUp);
  const timeToProofSeconds = histogram(registry, all.timeToProofSeconds);
  const lookUpsPerOutcome = histogram(registry, all.lookUpsPerOutcome);
  const attemptsPerOutcome = histogram(registry, all.attemptsPerOutcome);

  return {
    count({ operation, provider, to: status, journal, isUsedUp }: Moved): void {
      if (status === 'in_review') reviews.inc({ operation, provider });
      if (!isFinal(status)) return;
      outcomes.inc({ operation, provider, status });
      if (isUsedUp) attemptsUsedUp.inc({ operation, provider });
      const seconds = (journal.readAt - journal.createdAt) / 1_000;
      timeToProofSeconds.observe({ operation, provider, path: pathOf(journal) }, seconds);
      lookUpsPerOutcome.observe({ provider }, lookUpsOf(journal));
      attemptsPerOutcome.observe({ provider }, sendsOf(journal));
    },
  };
}

/** Direct: nothing but the answer to the only send was needed, or nothing was sent at all. */
function pathOf({ attempts, observations }: Journal): 'direct' | 'after_doubt' {
  const isDirect = attempts.length <= 1 && observations.every((one) => one.source === 'response');
  return isDirect && observations.length === attempts.length ? 'direct' : 'after_doubt';
}

function lookUpsOf({ observations }: Journal): number {
  return observations.filter((one) => one.source === 'look_up').length;
}

function sendsOf({ attempts }: Journal): number {
  return attempts.filter((one) => one.effect === 'apply').length;
}
