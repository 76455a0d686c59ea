/** The judge on refunds: together never more than the charge, and none refused that had room. */
import {
  type Books,
  type EffectFact,
  type Finding,
  type IntentFact,
  LIVE,
  type RefusalFact,
} from './facts';
import { groupBy } from './group';

/** In the provider's ledger and in PostgreSQL alike. */
export function checkDraws({ intents, effects }: Books): readonly Finding[] {
  const charges = groupBy(
    effects.filter((one) => one.kind === 'charge'),
    (one) => one.source,
  );
  const paidBack = groupBy(
    effects.filter((one) => one.kind === 'refund' && LIVE.has(one.status)),
    (one) => one.source,
  );
  return [
    ...[...paidBack].flatMap(([source, refunds]) => {
      const taken = sum((charges.get(source) ?? []).filter((one) => one.status === 'succeeded'));
      return exceeds(`in the ledger: ${source}`, sum(refunds), taken);
    }),
    ...intents
      .filter((one) => one.kind === 'charge')
      .flatMap((charge) => {
        const live = refundsOf(charge.id, intents).filter(
          ({ status }) => status !== 'failed' && status !== 'canceled',
        );
        return exceeds(charge.key, sum(live), charge.amount ?? 0);
      }),
  ];
}

/**
 * A refusal needs a reason that could have held when it was given: room that all refunds of the charge
 * together, ended ones included, could take up; a charge that was not known to have succeeded.
 */
export function checkRefusal(
  { key, why, charge, chargeWas, amount }: RefusalFact,
  intents: readonly IntentFact[],
): readonly Finding[] {
  const most = intents.find((one) => one.id === charge)?.amount ?? 0;
  const isFalse =
    why === 'charge-not-refundable'
      ? chargeWas === 'succeeded'
      : amount + sum(refundsOf(charge, intents)) <= most;
  return isFalse ? [{ kind: 'false-refusal', about: `${key}: ${why}` }] : [];
}

function refundsOf(charge: string, intents: readonly IntentFact[]): readonly IntentFact[] {
  return intents.filter((one) => one.charge === charge);
}

function exceeds(about: string, refunded: number, charged: number): readonly Finding[] {
  if (refunded <= charged) return [];
  return [{ kind: 'over-refunded', about: `${about}: ${refunded} of ${charged}` }];
}

function sum(facts: readonly Pick<EffectFact, 'amount'>[]): number {
  return facts.reduce((total, { amount }) => total + (amount ?? 0), 0);
}
