/**
 * `payment.refund`: give back a part of a charge, or all of it, at most once per charge and reference.
 * All refunds of a charge together never exceed it.
 */
import { z } from 'zod';
import { minorUnits } from './minor-units';
import { type DrawnOn, type Operation } from './operation';
import { name } from './text';
import { TRIAL_PAYMENT_PROVIDERS } from './trial-providers';

/** As long as the charge that it gives back. */
const RETENTION_DAYS = 400;
/** 1,000.00 in a currency of two digits: above it a second operator confirms a decision. */
const APPROVAL_THRESHOLD = 100_000;

const schema = z.strictObject({
  /** The intent of the charge. */
  charge: z.guid('must be the id of an intent').toLowerCase(),
  /** Minor units of the charge's currency. */
  amount: minorUnits,
  /** The caller's return or credit note: the business key among the refunds of the charge. */
  reference: name(64),
});

type RefundParameters = z.infer<typeof schema>;

/** The operation, as registered. */
export const paymentRefund: Operation<RefundParameters, 'payment.refund'> = {
  name: 'payment.refund',
  version: 1,
  summary: 'Refund a charge, in part or in whole',
  scope: 'refund',
  commandKind: 'refund',
  schema,
  fingerprintFields: ['charge', 'amount', 'reference'] satisfies (keyof RefundParameters)[],
  example: {
    charge: '0197a3c0-7b0e-7a7e-9d3f-2f1f6f0a1b2c',
    amount: 700,
    reference: 'return-1',
  },
  retentionDays: RETENTION_DAYS,
  // No deadline: what is owed to a payer is owed tomorrow, too.
  policy: { attemptCap: 3, deadlineMs: null, approvalThreshold: APPROVAL_THRESHOLD },
  reviewByDesign: TRIAL_PAYMENT_PROVIDERS,
  draws: {
    on: 'charge',
    intent: ({ charge }) => charge,
    exceeded: {
      problem: 'refund-exceeds-charge',
      detail: (rest) =>
        `At most ${rest} of the charge is left; pending and unknown refunds count. Nothing was recorded.`,
    },
    refused: {
      problem: 'charge-not-refundable',
      detail: (why) => `The charge cannot be refunded: ${why}. Nothing was recorded.`,
    },
  },
  businessKey: ({ reference }) => reference,
  money: ({ amount }, charge) => ({ amount, currency: known(charge).currency }),
  // That of the charge.
  provider: () => null,
  command: ({ amount }, charge) => {
    const { currency, providerId } = known(charge);
    return { kind: 'refund', amount, currency, charge: providerId };
  },
};

function known(charge: DrawnOn | null): DrawnOn {
  if (charge === null) throw new Error('a refund without its charge');
  return charge;
}
