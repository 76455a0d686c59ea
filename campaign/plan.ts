/** What happens to each intent, from a seed: who asks for what, and which faults it meets. */
import { MESSAGE_PROVIDERS, type MessageProvider, type Provider, PROVIDERS } from './contracts';
import {
  CHARGES,
  LOST_ANSWERS,
  MESSAGES,
  type PlannedFault,
  QUESTIONS,
  REFUNDS,
  UNDOINGS,
} from './faults';
import { createRandom, type Random } from './random';

/** One caller with one intent. */
interface Planned {
  readonly key: string;
  readonly reference: string;
  readonly faults: readonly PlannedFault[];
  /** Requests with the key that leave at once; the callers repeat on their own besides. */
  readonly twins: number;
  /** When a cancel is asked for, after the first request left; null: never. */
  readonly cancelAfterMs: number | null;
}

/** A charge, and what is to be given back of it. */
export interface PlannedCharge extends Planned {
  readonly kind: 'charge';
  /** Unique: the ledger is searched by it. */
  readonly source: string;
  readonly amount: number;
  readonly provider: Provider;
  /** Notifications besides the provider's own: forged ones that lie, or the true one again and again. */
  readonly tells: 'forged' | 'repeated' | null;
  /** What the provider makes of it in the end, if it is pending; null: it never says. */
  readonly settles: 'succeeded' | 'failed' | null;
  /** Asked for all at once when the charge's callers have their answer, whatever that is. */
  readonly refunds: readonly PlannedRefund[];
}

/** A refund of the charge that it stands with. Amounts differ, so that the ledger tells them apart. */
export interface PlannedRefund extends Planned {
  readonly kind: 'refund';
  readonly amount: number;
  readonly settles: 'succeeded' | 'failed' | null;
}

/** A message; the ledger is searched by its recipient. */
export interface PlannedMessage extends Planned {
  readonly kind: 'message';
  readonly source: string;
  readonly provider: MessageProvider;
}

/** What a campaign of N intents has N of; refunds come on top. */
export type PlannedIntent = PlannedCharge | PlannedMessage;

/** The intents of a campaign; `seed` also keeps the keys of two campaigns apart. */
export function planIntents(seed: number, count: number): readonly PlannedIntent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const name = `${seed}-${index}`;
    return random.chance(0.15) ? planMessage(name, random) : planCharge(name, random);
  });
}

function planCharge(name: string, random: Random): PlannedCharge {
  const isCanceled = random.chance(0.2);
  const amount = random.between(100, 50_000);
  return {
    kind: 'charge',
    key: `campaign-${name}`,
    source: `card_campaign_${name}`,
    reference: `order-${name}`,
    amount,
    provider: random.pick(PROVIDERS),
    faults: [
      ...(random.chance(0.6) ? [random.pick(CHARGES)] : []),
      ...(random.chance(0.1) ? [random.pick(CHARGES)] : []),
      ...(random.chance(0.3) ? [random.pick(QUESTIONS)] : []),
      ...(isCanceled && random.chance(0.4) ? [random.pick(UNDOINGS)] : []),
    ],
    twins: random.chance(0.15) ? random.between(2, 5) : 1,
    cancelAfterMs: isCanceled ? random.between(0, 2_500) : null,
    settles: random.pick(['succeeded', 'failed', null]),
    tells: random.pick(['forged', 'repeated', null, null]),
    refunds: random.chance(0.35) ? planRefunds(name, amount, random) : [],
  };
}

/** One to three, of a third of the charge to all of it: most pairs are more than it has. */
function planRefunds(name: string, charged: number, random: Random): readonly PlannedRefund[] {
  const amounts = new Set<number>();
  const count = random.between(1, 3);
  while (amounts.size < count) amounts.add(random.between(Math.ceil(charged / 3), charged));
  return [...amounts].map((amount, index) => ({
    kind: 'refund',
    key: `campaign-refund-${name}-${index}`,
    reference: `return-${name}-${index}`,
    amount,
    faults: [
      ...(random.chance(0.6) ? [random.pick(REFUNDS)] : []),
      ...(random.chance(0.2) ? [random.pick(QUESTIONS)] : []),
    ],
    twins: random.chance(0.2) ? 2 : 1,
    cancelAfterMs: random.chance(0.1) ? random.between(0, 2_500) : null,
    settles: random.pick(['succeeded', 'failed', null]),
  }));
}

function planMessage(name: string, random: Random): PlannedMessage {
  return {
    kind: 'message',
    key: `campaign-${name}`,
    source: `recipient_campaign_${name}`,
    reference: `occasion-${name}`,
    provider: random.pick(MESSAGE_PROVIDERS),
    faults: random.chance(0.6) ? [random.pick(MESSAGES)] : [],
    twins: random.chance(0.15) ? random.between(2, 5) : 1,
    cancelAfterMs: random.chance(0.2) ? random.between(0, 2_500) : null,
  };
}

/**
 * The plainest trouble: a provider that ignores keys and loses every tenth answer, half of them after
 * the effect. An engine that only retries charges about one caller in twenty twice.
 */
export function planLossyProvider(seed: number, count: number): readonly PlannedIntent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    kind: 'charge',
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
    refunds: [],
  }));
}
