// The administration's notifications: about something real or made up, honest or not. Only a
// validly signed one about a pending effect is more than words: the effect settles first.

import { randomBytes } from 'node:crypto';
import { z } from 'zod';

import { type Ledger } from './ledger';
import { dataOf, type DeliveryReport, newEventId, type Notification } from './notifier';
import { type Call, type Effect, type JournalRecord } from './records';
import { isoTime } from './render';
import { readShape } from './shape';
import { type Simulator } from './simulator';
import { waitUntil } from './wait';
import { type EffectStatus, type ProviderName, PROVIDERS } from './words';

const shape = z.strictObject({
  about: z.string().min(1),
  type: z.string().min(1).default('charge.succeeded'),
  event_id: z.string().min(1).optional(),
  times: z.int().min(1).max(1000).default(1),
  parallel: z.boolean().default(false),
  delay_ms: z.int().min(0).max(600_000).default(0),
  signature: z.enum(['valid', 'forged', 'stale']).default('valid'),
  amount: z.int().optional(),
  provider: z.enum(PROVIDERS).optional(),
});
type NotifyCommand = z.output<typeof shape>;

const ALLOWED =
  'Allowed: about (our reference or a charge id), type, event_id, times (1 to 1000), parallel, ' +
  'delay_ms (0 to 600000), signature (valid, forged, stale), amount, provider.';

const STATUS_SAID: Readonly<Record<string, EffectStatus>> = {
  succeeded: 'succeeded',
  pending: 'pending',
  requires_action: 'requires_action',
  failed: 'declined',
  voided: 'voided',
};

/** What was sent and what the API answered, one entry a delivery. */
interface NotifyReport {
  readonly event_id: string;
  readonly deliveries: readonly DeliveryReport[];
}

/** Waits, settles, sends; resolves when every delivery has been answered. Throws `Refusal`. */
export async function notify(simulator: Simulator, given: unknown): Promise<NotifyReport> {
  const command = readShape(shape, given, ALLOWED);
  await waitUntil(Date.now() + command.delay_ms);
  const effect = effectAbout(simulator.store.ledger, command);
  if (effect !== null && command.signature === 'valid') settle(simulator, effect, command.type);
  const notification = notificationAbout(simulator.store.ledger, effect, command);
  return { event_id: notification.id, deliveries: await sendAll(simulator, notification, command) };
}

async function sendAll(
  simulator: Simulator,
  notification: Notification,
  command: NotifyCommand,
): Promise<DeliveryReport[]> {
  const send = (): Promise<DeliveryReport> =>
    simulator.notifier.send(notification, command.signature);
  if (command.parallel) return Promise.all(Array.from({ length: command.times }, send));
  const deliveries: DeliveryReport[] = [];
  for (let sent = 0; sent < command.times; sent += 1) deliveries.push(await send());
  return deliveries;
}

/** By id, else by reference: the one still open if there is one, else the latest. */
function effectAbout(ledger: Ledger, command: NotifyCommand): Effect | null {
  const byId = ledger.findAnywhere(command.about);
  if (byId !== null) return byId;
  const providers = command.provider === undefined ? PROVIDERS : [command.provider];
  const named = providers.flatMap((provider) => [
    ...ledger.named(provider, 'charge', command.about),
    ...ledger.named(provider, 'refund', command.about),
  ]);
  return named.find(isOpen) ?? named.at(-1) ?? null;
}

function isOpen(effect: Effect): boolean {
  return effect.status === 'pending' || effect.status === 'requires_action';
}

function settle(simulator: Simulator, effect: Effect, type: string): void {
  const settled = /^(charge|refund)\.(succeeded|failed)$/.exec(type);
  if (settled?.[1] !== effect.kind || !isOpen(effect)) return;
  const status = settled[2] === 'succeeded' ? 'succeeded' : 'declined';
  const records: JournalRecord[] = [{ type: 'effect-changed', id: effect.id, change: { status } }];
  const charge =
    effect.charge === null ? null : simulator.store.ledger.find(effect.provider, effect.charge);
  if (charge !== null && status === 'declined') {
    // The money that a pending refund had set aside is free again.
    const refunded = charge.refunded - (effect.amount ?? 0);
    records.push({ type: 'effect-changed', id: charge.id, change: { refunded } });
  }
  simulator.store.commit(...records);
}

function notificationAbout(
  ledger: Ledger,
  effect: Effect | null,
  command: NotifyCommand,
): Notification {
  const { type } = command;
  const status = STATUS_SAID[type.replace(/^.*\./, '')];
  const said = {
    ...(status === undefined ? {} : { status }),
    ...(command.amount === undefined ? {} : { amount: command.amount }),
  };
  const id = command.event_id ?? newEventId();
  if (effect !== null) {
    return { provider: effect.provider, id, type, data: dataOf({ ...effect, ...said }) };
  }
  const call = lastCallAbout(ledger, command.about);
  const provider = command.provider ?? call?.provider ?? 'sim-full';
  return { provider, id, type, data: { charge: { ...inventedCharge(command, call), ...said } } };
}

function lastCallAbout(ledger: Ledger, reference: string): Call | null {
  const calls = PROVIDERS.map((provider: ProviderName) =>
    ledger.lastCall(provider, 'charge', reference),
  );
  return calls.find((call) => call !== null) ?? null;
}

/** A charge that does not exist, with the amount that was asked for if anybody ever asked. */
function inventedCharge(command: NotifyCommand, call: Call | null): Record<string, unknown> {
  return {
    id: `ch_${randomBytes(12).toString('hex')}`,
    object: 'charge',
    status: 'succeeded',
    amount: call?.amount ?? 1000,
    amount_refunded: 0,
    currency: call?.currency ?? 'EUR',
    reference: command.about,
    created_at: isoTime(Date.now()),
  };
}
