/** One intent's life: its callers, its cancel, what the provider tells of it, and its refunds. */
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningStack } from '../local/ready';
import { administrate } from './administrate';
import { type Caller } from './ask';
import { type CallerStory, cancel, insist, type Wish } from './caller';
import { type RefusalFact } from './facts';
import { type PlannedCharge, type PlannedIntent, type PlannedRefund } from './plan';

/** What came of one planned intent. */
export interface Life {
  /** Of each caller, those of its refunds included. */
  readonly stories: readonly CallerStory[];
  readonly refusals: readonly RefusalFact[];
}

/** Lives it until every caller has been answered. */
export async function live(stack: RunningStack, plan: PlannedIntent): Promise<Life> {
  const wish = wishOf(plan);
  const told = askedFor(stack, plan, { wish, about: { source: plan.source } });
  if (plan.kind === 'message') return { stories: await told, refusals: [] };
  const [stories] = await Promise.all([
    told,
    settleLater(stack, plan, plan),
    tellLater(stack, plan),
  ]);
  const charge = stories.find((one) => one.intent !== null);
  if (!charge?.intent) return { stories, refusals: [] };
  const { intent, status } = charge;
  const refunds = await Promise.all(
    plan.refunds.map((refund) => giveBack(stack, plan, { refund, charge: intent })),
  );
  return {
    stories: [...stories, ...refunds.flat()],
    refusals: plan.refunds.flatMap((refund, index) => {
      const why = (refunds[index] ?? []).find((one) => one.refused !== null)?.refused ?? null;
      const { key, amount } = refund;
      return why === null ? [] : [{ key, why, charge: intent, chargeWas: status, amount }];
    }),
  };
}

/** What the callers of a charge or a message ask for. */
function wishOf(plan: PlannedIntent): Wish {
  const { key, source, reference, provider } = plan;
  if (plan.kind === 'message') {
    const body = { to: source, text: `about ${reference}`, reference, provider };
    return { key, operation: 'message.send', body };
  }
  const { amount } = plan;
  const body = { amount, currency: 'EUR', source, reference, provider };
  return { key, operation: 'payment.charge', body };
}

interface GivingBack {
  readonly refund: PlannedRefund;
  /** Id of the charge's intent. */
  readonly charge: string;
}

async function giveBack(
  stack: RunningStack,
  plan: PlannedCharge,
  { refund, charge }: GivingBack,
): Promise<readonly CallerStory[]> {
  const { key, amount, reference } = refund;
  const wish: Wish = { key, operation: 'payment.refund', body: { charge, amount, reference } };
  const about = { source: plan.source, amount };
  const [stories] = await Promise.all([
    askedFor(stack, refund, { wish, about }),
    settleLater(stack, plan, refund),
  ]);
  return stories;
}

interface Asked {
  readonly wish: Wish;
  /** Whose calls the faults meet. */
  readonly about: { readonly source: string; readonly amount?: number };
}

/** Its faults, its twins at once, and its cancel. */
async function askedFor(
  stack: RunningStack,
  plan: PlannedIntent | PlannedRefund,
  { wish, about }: Asked,
): Promise<readonly CallerStory[]> {
  for (const fault of plan.faults) {
    // A look-up does not say an amount.
    const match = fault.on === 'query' ? { source: about.source } : about;
    await administrate(stack, { path: 'faults', method: 'POST', order: { ...fault, match } });
  }
  const caller = { api: stack.ready.api, token: stack.ready.tenants.acme.token };
  const refused = new AbortController();
  const twins = Promise.all(Array.from({ length: plan.twins }, () => insist(caller, wish)));
  const [stories] = await Promise.all([
    twins.then((all) => {
      // Nobody will ever find an intent to cancel.
      if (all.every((one) => one.intent === null)) refused.abort();
      return all;
    }),
    cancelLater(caller, { ...plan, ...wish }, refused.signal),
  ]);
  return stories;
}

async function cancelLater(
  caller: Caller,
  plan: Pick<Wish, 'key' | 'operation'> & Pick<PlannedRefund, 'cancelAfterMs'>,
  signal: AbortSignal,
): Promise<void> {
  if (plan.cancelAfterMs === null) return;
  await pause(plan.cancelAfterMs);
  await cancel(caller, plan, signal);
}

/** A provider that settles by itself, a while later, what it has pending. */
async function settleLater(
  stack: RunningStack,
  { source }: PlannedCharge,
  plan: PlannedCharge | PlannedRefund,
): Promise<void> {
  const pends = plan.faults.some((one) => one.do === 'pending' || one.do === 'requires-action');
  if (!pends || plan.settles === null) return;
  await pause(4_000);
  for (const { id, kind, amount } of await effectsOf(stack, source)) {
    const isIt = kind === plan.kind && amount === plan.amount;
    if (isIt) await notify(stack, { about: id, type: `${kind}.${plan.settles}` });
  }
}

/** Notifications that must change nothing: forged ones that lie, true ones again and again. */
async function tellLater(stack: RunningStack, plan: PlannedCharge): Promise<void> {
  if (plan.tells === null) return;
  await pause(2_000);
  for (const { id, kind, status } of await effectsOf(stack, plan.source)) {
    if (kind !== 'charge') continue;
    if (plan.tells === 'forged') {
      await notify(stack, { about: id, type: 'charge.failed', signature: 'forged', times: 2 });
    } else if (status === 'succeeded') {
      await notify(stack, { about: id, type: 'charge.succeeded', times: 3, parallel: true });
    }
  }
}

interface LedgerLine {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: number | null;
}

async function effectsOf(stack: RunningStack, source: string): Promise<readonly LedgerLine[]> {
  const path = `ledger?source=${source}`;
  const { effects } = (await administrate(stack, { path, method: 'GET' })) as {
    readonly effects: readonly LedgerLine[];
  };
  return effects;
}

function notify(stack: RunningStack, order: Readonly<Record<string, unknown>>): Promise<unknown> {
  return administrate(stack, { path: 'notifications', method: 'POST', order });
}
