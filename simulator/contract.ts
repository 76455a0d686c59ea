// The four provider contracts, and the JSON that may shorten or lengthen their times.
// The same JSON configures the engine; members that concern only the engine are checked and ignored.

import { z } from 'zod';

import { readShape } from './shape';
import { type ProviderName } from './words';

/** What one simulated provider honours. */
export interface ProviderContract {
  readonly name: ProviderName;
  readonly path: string;
  /** Null: the Idempotency-Key header is recorded and otherwise ignored. */
  readonly key: { readonly windowMs: number } | null;
  /** Null: the provider has no GET endpoint at all. */
  readonly lookUp: { readonly lagMs: number; readonly seesBackMs: number | null } | null;
  readonly notifications: boolean;
  /** Whether it brings messages too; none of them can be looked up. */
  readonly messages: boolean;
}

export type Contracts = Readonly<Record<ProviderName, ProviderContract>>;

const DEFAULT_KEY = { windowMs: 24 * 3600_000 };
const DEFAULT_LOOK_UP = { lagMs: 1000, seesBackMs: null };

const DEFAULTS: Contracts = {
  'sim-full': {
    name: 'sim-full',
    path: '/full',
    key: DEFAULT_KEY,
    lookUp: DEFAULT_LOOK_UP,
    notifications: true,
    messages: false,
  },
  'sim-lookup': {
    name: 'sim-lookup',
    path: '/lookup',
    key: null,
    lookUp: DEFAULT_LOOK_UP,
    notifications: true,
    messages: false,
  },
  'sim-key': {
    name: 'sim-key',
    path: '/key',
    key: DEFAULT_KEY,
    lookUp: null,
    notifications: false,
    messages: true,
  },
  'sim-blind': {
    name: 'sim-blind',
    path: '/blind',
    key: null,
    lookUp: null,
    notifications: false,
    messages: true,
  },
};

const duration = z.int().min(0);
const override = z
  .strictObject({
    send: z.strictObject({ budget_ms: duration, horizon_ms: duration }).partial(),
    key: z.strictObject({ window_ms: duration }).partial().nullable(),
    look_up: z
      .strictObject({
        lag_ms: duration,
        schedule_ms: z.array(duration),
        absence_is_proof: z.boolean(),
        sees_back_ms: duration.nullable(),
        on_read_ms: duration.nullable(),
      })
      .partial()
      .nullable(),
    patience_ms: duration,
  })
  .partial();
const overrides = z
  .strictObject({
    'sim-full': override,
    'sim-lookup': override,
    'sim-key': override,
    'sim-blind': override,
  })
  .partial();

const ALLOWED =
  'Allowed per provider (sim-full, sim-lookup, sim-key, sim-blind): send {budget_ms, horizon_ms}, ' +
  'key {window_ms} or null, look_up {lag_ms, schedule_ms, absence_is_proof, sees_back_ms, ' +
  'on_read_ms} or null, ' +
  'patience_ms.';

/** Merges `value` over the four default contracts. Throws `Refusal` with a sentence. */
export function readContracts(value: unknown): Contracts {
  const given = readShape(overrides, value, ALLOWED);
  return {
    'sim-full': merged(DEFAULTS['sim-full'], given['sim-full']),
    'sim-lookup': merged(DEFAULTS['sim-lookup'], given['sim-lookup']),
    'sim-key': merged(DEFAULTS['sim-key'], given['sim-key']),
    'sim-blind': merged(DEFAULTS['sim-blind'], given['sim-blind']),
  };
}

function merged(base: ProviderContract, given: z.output<typeof override> = {}): ProviderContract {
  return { ...base, key: mergedKey(base, given.key), lookUp: mergedLookUp(base, given.look_up) };
}

function mergedKey(
  base: ProviderContract,
  given: z.output<typeof override>['key'],
): ProviderContract['key'] {
  if (given === undefined) return base.key;
  if (given === null) return null;
  return { windowMs: given.window_ms ?? (base.key ?? DEFAULT_KEY).windowMs };
}

function mergedLookUp(
  base: ProviderContract,
  given: z.output<typeof override>['look_up'],
): ProviderContract['lookUp'] {
  if (given === undefined) return base.lookUp;
  if (given === null) return null;
  const before = base.lookUp ?? DEFAULT_LOOK_UP;
  return {
    lagMs: given.lag_ms ?? before.lagMs,
    seesBackMs: given.sees_back_ms === undefined ? before.seesBackMs : given.sees_back_ms,
  };
}
