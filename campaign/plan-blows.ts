/** What happens to each process, from a seed. */
import { createRandom } from './random';

/** Something that happens to a process. */
export interface PlannedBlow {
  /** Pause since the blow before, milliseconds. */
  readonly afterMs: number;
  readonly process: 'worker' | 'api' | 'temporal' | 'postgres' | 'simulator';
  /** Power loss, an orderly stop, or a freeze of `frozenMs`. */
  readonly kind: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP';
  readonly frozenMs: number;
}

/** Blows without end; how many fall depends on how long the intents take. */
export function* planBlows(seed: number): Generator<PlannedBlow> {
  const random = createRandom(seed ^ 0x5eed);
  for (;;) {
    const victim = random.pick([
      'worker',
      'worker',
      'api',
      'temporal',
      'postgres',
      'simulator',
    ] as const);
    const kind = random.pick(['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const);
    yield {
      afterMs: random.between(2_500, 6_000),
      process: victim,
      kind,
      // A frozen provider is a slow network: inside the horizon, or it would break its contract.
      frozenMs: random.between(300, victim === 'simulator' ? 1_000 : 3_500),
    };
  }
}
