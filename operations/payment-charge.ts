/** `payment.charge`: take money from a payer's instrument, at most once per tenant and reference. */
import { z } from 'zod';
import { CURRENCIES } from './currency';
import { type Operation } from './operation';
import { name, text } from './text';

/** 999,999,999.99 in a currency of two digits: far above a charge, far below what a double rounds. */
const MOST_MINOR_UNITS = 99_999_999_999;
const MOST_METADATA = 20;
/** A payer in the EU may contest a payment for 13 months, 396 days (PSD2, article 71). */
const RETENTION_DAYS = 400;

const schema = z.strictObject({
  /** Minor units of `currency`. */
  amount: z.int().min(1).max(MOST_MINOR_UNITS),
  currency: z.enum(CURRENCIES, { error: 'must be an upper-case ISO 4217 currency code' }),
  /** The payer's instrument, an opaque token. */
  source: name(255),
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
  policy: { attemptCap: 3 },
  retentionDays: RETENTION_DAYS,
  reviewByDesign: ['sim-blind'],
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
