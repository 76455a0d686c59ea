/** The simulator's four contracts, and how RESOLUTE_SIMULATOR_CONTRACT changes their times. */
import { z } from 'zod';
import { ConfigurationError } from '../../config/environment';
import { type LookUpContract, type ProviderContract } from '../../domain/contract';

/** Provider names and their paths on the simulator. */
export const SIMULATOR_PATHS = {
  'sim-full': '/full',
  'sim-lookup': '/lookup',
  'sim-key': '/key',
  'sim-blind': '/blind',
} as const;

/** One of the four. */
export type SimulatorProvider = keyof typeof SIMULATOR_PATHS;

const DAY_MS = 86_400_000;

/** Node reads an HTTP header of any visible ASCII; the simulator keeps 255 bytes of a reference. */
const NAME = { maxBytes: 255, alphabet: '!-~' } as const;
const KEY = {
  ...NAME,
  scope: 'account',
  onMismatch: 'refuses',
  windowMs: DAY_MS,
  savesRejections: true,
} as const;
const LOOK_UP = {
  by: 'reference',
  lagMs: 1_000,
  absenceIsProof: true,
  seesBackMs: 'forever',
  scheduleMs: [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  onReadMs: 5_000,
  lists: true,
} as const;
const BASE = {
  version: 1,
  reference: NAME,
  send: { budgetMs: 2_000, horizonMs: 1_000, mayRepeat: false },
  patienceMs: 120_000,
  jitterPercent: 20,
  revert: true,
} as const;

const DEFAULTS: Readonly<Record<SimulatorProvider, ProviderContract>> = {
  'sim-full': { ...BASE, version: 2, key: KEY, lookUp: LOOK_UP, notifications: true },
  'sim-lookup': { ...BASE, version: 2, key: null, lookUp: LOOK_UP, notifications: true },
  'sim-key': { ...BASE, key: KEY, lookUp: null, notifications: false },
  'sim-blind': { ...BASE, key: null, lookUp: null, notifications: false },
};

const millis = z
  .int()
  .min(0)
  .max(3_650 * DAY_MS);

/** The shape of the override; an unknown member stops the start. */
const overrideSchema = z.strictObject({
  send: z
    .strictObject({ budget_ms: millis.min(100), horizon_ms: millis })
    .partial()
    .optional(),
  key: z.strictObject({ window_ms: millis }).partial().nullable().optional(),
  look_up: z
    .strictObject({
      lag_ms: millis,
      schedule_ms: z.array(millis.min(1)).min(1),
      absence_is_proof: z.boolean(),
      sees_back_ms: millis,
      on_read_ms: millis.min(1).nullable(),
    })
    .partial()
    .nullable()
    .optional(),
  patience_ms: millis.optional(),
});
const overridesSchema = z.partialRecord(
  z.enum(['sim-full', 'sim-lookup', 'sim-key', 'sim-blind']),
  overrideSchema,
);

type Override = z.infer<typeof overrideSchema>;

/** The contracts with `overridesJson` merged over them. Throws ConfigurationError. */
export function simulatorContracts(
  overridesJson: string,
): Readonly<Record<SimulatorProvider, ProviderContract>> {
  const overrides = parseOverrides(overridesJson);
  return {
    'sim-full': merge(DEFAULTS['sim-full'], overrides['sim-full'] ?? {}),
    'sim-lookup': merge(DEFAULTS['sim-lookup'], overrides['sim-lookup'] ?? {}),
    'sim-key': merge(DEFAULTS['sim-key'], overrides['sim-key'] ?? {}),
    'sim-blind': merge(DEFAULTS['sim-blind'], overrides['sim-blind'] ?? {}),
  };
}

/**
 * The contract for refunds beside that for charges: the same, but a refund cannot be undone, and only
 * declines are saved under the key, refusals (`refund_exceeds_charge`…) are not.
 */
export function refundContract(charges: ProviderContract): ProviderContract {
  return {
    ...charges,
    key: charges.key && { ...charges.key, savesRejections: false },
    revert: false,
  };
}

function parseOverrides(text: string): z.infer<typeof overridesSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError('RESOLUTE_SIMULATOR_CONTRACT is not JSON.', { cause: error });
  }
  const parsed = overridesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigurationError(
    `RESOLUTE_SIMULATOR_CONTRACT: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
  );
}

function merge(base: ProviderContract, override: Override): ProviderContract {
  const { send, key, look_up: lookUp } = override;
  return {
    ...base,
    send: {
      ...base.send,
      budgetMs: send?.budget_ms ?? base.send.budgetMs,
      horizonMs: send?.horizon_ms ?? base.send.horizonMs,
    },
    key: key === undefined ? base.key : key && { ...KEY, windowMs: key.window_ms ?? KEY.windowMs },
    lookUp: lookUp === undefined ? base.lookUp : lookUp && mergeLookUp(base, lookUp),
    patienceMs: override.patience_ms ?? base.patienceMs,
  };
}

function mergeLookUp(
  base: ProviderContract,
  override: NonNullable<Override['look_up']>,
): ProviderContract['lookUp'] {
  const { onReadMs: standing, ...lookUp }: LookUpContract = base.lookUp ?? LOOK_UP;
  const onReadMs = override.on_read_ms === undefined ? standing : override.on_read_ms;
  return {
    ...lookUp,
    ...(typeof onReadMs === 'number' && { onReadMs }),
    lagMs: override.lag_ms ?? lookUp.lagMs,
    scheduleMs: override.schedule_ms ?? lookUp.scheduleMs,
    absenceIsProof: override.absence_is_proof ?? lookUp.absenceIsProof,
    seesBackMs: override.sees_back_ms ?? lookUp.seesBackMs,
  };
}
