/** `payment.charge`: take money from a payer's instrument, at most once per tenant and reference. */
import { z } from 'zod';
import { isCardNumber } from './card-number';
import { CURRENCIES } from './currency';
import { minorUnits } from './minor-units';
import { type Operation } from './operation';
import { name, text } from './text';
import { TRIAL_PAYMENT_PROVIDERS } from './trial-providers';

const MOST_METADATA = 20;
/** A payer in the EU may contest a payment for 13 months, 396 days (PSD2, article 71). */
const RETENTION_DAYS = 400;

const schema = z.strictObject({
  /** Minor units of `currency`. */
  amount: minorUnits,
  currency: z.enum(CURRENCIES, { error: 'must be an upper-case ISO 4217 currency code' }),
  /** The payer's instrument, an opaque token. What looks like a card's number must not be stored. */
  source: name(255).refine((source) => !isCardNumber(source), {
    error: 'must be a token of the instrument, not a card number',
  }),
  /** The caller's order or invoice: the business key. */
  reference: name(64),
  /** Absent: the tenant's default. Naming the default is another request than leaving it out. */
  provider: name(64).optional(),
  description: text(0, 500).optional(),
  metadata: z
    .record(name(40), text(0, 500))
    .refine((all) => Object.keys(all).length <= MOST_METADATA, {
      error: `must have at most ${MOST_METADATA} members`,
    })
    .meta({ maxProperties: MOST_METADATA })
    .optional(),
});

/** Nobody is charged a day after they asked, by surprise. */
const DEADLINE_MS = 86_400_000;
/** 1,000.00 in a currency of two digits: above it a second operator confirms a decision. */
const APPROVAL_THRESHOLD = 100_000;

/** What a caller may say of a charge. */
type ChargeParameters = z.infer<typeof schema>;

/** The operation, as registered. */
export const paymentCharge: Operation<ChargeParameters, 'payment.charge'> = {
  name: 'payment.charge',
  version: 1,
  summary: 'Charge a payer’s instrument',
  scope: 'charge',
  commandKind: 'charge',
  schema,
  fingerprintFields: [
    'amount',
    'currency',
    'source',
    'reference',
    'provider',
    'description',
    'metadata',
  ] satisfies (keyof ChargeParameters)[],
  example: { amount: 1000, currency: 'EUR', source: 'card_1', reference: 'order-1' },
  retentionDays: RETENTION_DAYS,
  policy: { attemptCap: 3, deadlineMs: DEADLINE_MS, approvalThreshold: APPROVAL_THRESHOLD },
  reviewByDesign: TRIAL_PAYMENT_PROVIDERS,
  businessKey: ({ reference }) => reference,
  money: ({ amount, currency }) => ({ amount, currency }),
  provider: ({ provider }) => provider ?? null,
  command: ({ amount, currency, source, description, metadata }) => ({
    kind: 'charge',
    amount,
    currency,
    source,
    description: description ?? null,
    metadata: metadata ?? {},
  }),
};
