/** The campaign's plan is repeatable, and leaves nothing out. */
import { planIntents } from '../../campaign/plan';
import { planBlows } from '../../campaign/plan-blows';

it('is the same for the same seed, and another for another', () => {
  expect(planIntents(7, 50)).toEqual(planIntents(7, 50));
  expect(planIntents(7, 50).map((one) => one.faults)).not.toEqual(
    planIntents(8, 50).map((one) => one.faults),
  );
});

it('strikes every process in every way', () => {
  const struck = new Set<string>();
  for (const { process, kind } of planBlows(1)) {
    struck.add(`${kind} ${process}`);
    if (struck.size === 15) break;
  }
  expect(struck.size).toBe(15);
});

it('has charges, messages through both providers, and refunds that exceed their charge together', () => {
  const plan = planIntents(7, 300);
  const charges = plan.flatMap((one) => (one.kind === 'charge' ? [one] : []));
  const providers = plan.flatMap((one) => (one.kind === 'message' ? [one.provider] : []));
  expect(new Set(providers)).toEqual(new Set(['sim-mail', 'sim-fax']));
  const tooMuch = charges.filter(
    ({ amount, refunds }) => refunds.reduce((sum, one) => sum + one.amount, 0) > amount,
  );
  expect(tooMuch.length).toBeGreaterThan(20);
  for (const { refunds } of charges) {
    expect(new Set(refunds.map((one) => one.amount)).size).toBe(refunds.length);
  }
  const lost = charges.flatMap(({ refunds }) => refunds.flatMap(({ faults }) => faults));
  expect(new Set(lost.map((one) => one.do))).toContain('timeout-after-effect');
});
