/**
 * What happens to each intent and to each process, from a seed. Only faults that keep the provider's
 * contract: what breaks it (a look-up that denies what it must show, keys forgotten inside their
 * window) may double an effect whatever we do, and would excuse our own faults.
 */
import { type Provider, PROVIDERS } from './contracts';
import { createRandom, type Random } from './random';

/** One fault at the simulator, for one intent's calls. */
export interface PlannedFault {
  readonly on: 'charge' | 'void' | 'query';
  readonly do: string;
  readonly times?: number;
  readonly delay_ms?: number;
  readonly retry_after_s?: number;
}

/** One caller with one intent. */
export interface PlannedIntent {
  readonly key: string;
  /** Unique: the ledger is searched by it. */
  readonly source: string;
  readonly reference: string;
  readonly amount: number;
  readonly provider: Provider;
  readonly faults: readonly PlannedFault[];
  /** Requests with the key that leave at once; the callers repeat on their own besides. */
  readonly twins: number;
  /** When a cancel is asked for, after the first request left; null: never. */
  readonly cancelAfterMs: number | null;
  /** Notifications besides the provider's own: forged ones that lie, or the true one again and again. */
  readonly tells: 'forged' | 'repeated' | null;
  /** What the provider makes of it in the end, if it is pending; null: it never says. */
  readonly settles: 'charge.succeeded' | 'charge.failed' | null;
}

/** Something that happens to a process. */
export interface PlannedBlow {
  /** Pause since the blow before, milliseconds. */
  readonly afterMs: number;
  readonly process: 'worker' | 'api' | 'temporal' | 'postgres' | 'simulator';
  /** Power loss, an orderly stop, or a freeze of `frozenMs`. */
  readonly kind: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP';
  readonly frozenMs: number;
}

const SENDS: readonly [PlannedFault, ...PlannedFault[]] = [
  { on: 'charge', do: 'decline' },
  { on: 'charge', do: 'slow', delay_ms: 400 },
  { on: 'charge', do: 'slow', delay_ms: 1_300 },
  { on: 'charge', do: 'hang' },
  { on: 'charge', do: 'timeout-before-effect' },
  { on: 'charge', do: 'timeout-before-effect', times: 2 },
  { on: 'charge', do: 'timeout-after-effect' },
  { on: 'charge', do: 'reset-before-effect' },
  { on: 'charge', do: 'reset-after-effect' },
  { on: 'charge', do: 'http-500-no-effect' },
  { on: 'charge', do: 'http-500-after-effect' },
  { on: 'charge', do: 'http-500-stored' },
  { on: 'charge', do: 'replay-stored-error' },
  { on: 'charge', do: 'http-409-key-in-use' },
  { on: 'charge', do: 'http-429', times: 2, retry_after_s: 1 },
  { on: 'charge', do: 'http-401' },
  { on: 'charge', do: 'garbage' },
  { on: 'charge', do: 'pending' },
  { on: 'charge', do: 'requires-action' },
  { on: 'charge', do: 'http-400-already-succeeded' },
  { on: 'charge', do: 'http-400-already-captured' },
  { on: 'charge', do: 'late-effect', delay_ms: 1_500 },
];

const LOST_ANSWERS: readonly [PlannedFault, ...PlannedFault[]] = [
  { on: 'charge', do: 'timeout-after-effect' },
  { on: 'charge', do: 'timeout-before-effect' },
];

const QUESTIONS: readonly [PlannedFault, ...PlannedFault[]] = [
  { on: 'query', do: 'timeout', times: 2 },
  { on: 'query', do: 'http-403' },
  { on: 'query', do: 'http-429', times: 2 },
  { on: 'query', do: 'garbage' },
  { on: 'query', do: 'reset-before-effect' },
  { on: 'query', do: 'slow', delay_ms: 900 },
  { on: 'query', do: 'wrong-amount' },
  { on: 'query', do: 'twice' },
];

const UNDOINGS: readonly [PlannedFault, ...PlannedFault[]] = [
  { on: 'void', do: 'timeout-after-effect' },
  { on: 'void', do: 'timeout-before-effect' },
  { on: 'void', do: 'reset-after-effect' },
  { on: 'void', do: 'decline' },
  { on: 'void', do: 'http-500-stored' },
];

/** The intents of a campaign; `seed` also keeps the keys of two campaigns apart. */
export function planIntents(seed: number, count: number): readonly PlannedIntent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => planIntent(`${seed}-${index}`, random));
}

function planIntent(name: string, random: Random): PlannedIntent {
  const isCanceled = random.chance(0.2);
  return {
    key: `campaign-${name}`,
    source: `card_campaign_${name}`,
    reference: `order-${name}`,
    amount: random.between(100, 50_000),
    provider: random.pick(PROVIDERS),
    faults: [
      ...(random.chance(0.6) ? [random.pick(SENDS)] : []),
      ...(random.chance(0.1) ? [random.pick(SENDS)] : []),
      ...(random.chance(0.3) ? [random.pick(QUESTIONS)] : []),
      ...(isCanceled && random.chance(0.4) ? [random.pick(UNDOINGS)] : []),
    ],
    twins: random.chance(0.15) ? random.between(2, 5) : 1,
    cancelAfterMs: isCanceled ? random.between(0, 2_500) : null,
    settles: random.pick(['charge.succeeded', 'charge.failed', null]),
    tells: random.pick(['forged', 'repeated', null, null]),
  };
}

/**
 * The plainest trouble: a provider that ignores keys and loses every tenth answer, half of them after
 * the effect. An engine that only retries charges about one caller in twenty twice.
 */
export function planLossyProvider(seed: number, count: number): readonly PlannedIntent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    key: `lossy-${seed}-${index}`,
    source: `card_lossy_${seed}_${index}`,
    reference: `lossy-order-${seed}-${index}`,
    amount: random.between(100, 50_000),
    provider: 'sim-lookup',
    faults: random.chance(0.1) ? [random.pick(LOST_ANSWERS)] : [],
    twins: 1,
    cancelAfterMs: null,
    settles: null,
    tells: null,
  }));
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
