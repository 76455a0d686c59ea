// Notifications to the API: what they say, how they are signed (Standard Webhooks), how they are
// sent. Each is sent once and never repeated by itself: a lost one stays lost, as in real life.

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';

import { type Contracts } from './contract';
import { type Effect } from './records';
import { chargeBody, childBody, isoTime } from './render';
import { type Store } from './store';
import { type EffectStatus, type ProviderName } from './words';

type Signature = 'valid' | 'forged' | 'stale';

/** One event; redeliveries of it share `id`. */
export interface Notification {
  readonly provider: ProviderName;
  readonly id: string;
  readonly type: string;
  /** `{charge: …}` or `{refund: …}`. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the API answered; status 0 means that it could not be reached. */
export interface DeliveryReport {
  readonly status: number;
  readonly error?: string;
}

/** Ages a stale signature well past the five minutes that Standard Webhooks tolerates. */
const STALE_MS = 60 * 60_000;
const PATIENCE_MS = 10_000;
const EVENT: Readonly<Record<EffectStatus, string>> = {
  succeeded: 'succeeded',
  pending: 'pending',
  requires_action: 'requires_action',
  declined: 'failed',
  voided: 'voided',
};

interface NotifierState {
  readonly contracts: Contracts;
  readonly store: Store;
}

export class Notifier {
  readonly #webhook: Webhook;
  readonly #forger = new Webhook(randomBytes(24).toString('base64'));

  // No kept-alive sockets: one that the API has just closed would look like a lost delivery.
  readonly #agent = new Agent({ pipelining: 0 });
  readonly #apiUrl: string;
  readonly #state: NotifierState;

  constructor(target: { apiUrl: string; signingSecret: string }, state: NotifierState) {
    this.#apiUrl = target.apiUrl;
    this.#state = state;
    this.#webhook = new Webhook(target.signingSecret);
  }

  /** Tells the API what has just happened to an effect; resolves when it has answered. */
  async announce(effect: Effect): Promise<void> {
    await this.send(this.#about(effect), 'valid');
  }

  /** The standing `notify` setting: announces without waiting, where the contract notifies. */
  notifyOfChange(effect: Effect): void {
    const { contracts, store } = this.#state;
    if (store.settings.notify === 'on' && contracts[effect.provider].notifications) {
      void this.announce(effect);
    }
  }

  /** Signs and sends one delivery. Never throws: being unreachable is a report like any other. */
  async send(notification: Notification, signature: Signature): Promise<DeliveryReport> {
    const atMs = signature === 'stale' ? Date.now() - STALE_MS : Date.now();
    const { provider, id, type, data } = notification;
    const body = JSON.stringify({ id, type, created_at: isoTime(atMs), data });
    const signer = signature === 'forged' ? this.#forger : this.#webhook;
    try {
      const url = `${this.#apiUrl}/v1/providers/${provider}/notifications`;
      const response = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(atMs / 1000)),
          'webhook-signature': signer.sign(id, new Date(atMs), body),
        },
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.body.dump();
      return { status: response.statusCode };
    } catch (error) {
      return { status: 0, error: reasonOf(error) };
    }
  }

  #about(effect: Effect): Notification {
    const { provider } = effect;
    const id = newEventId();
    if (effect.kind === 'refund') {
      return { provider, id, type: `refund.${EVENT[effect.status]}`, data: dataOf(effect) };
    }
    const chargeId = effect.kind === 'void' ? (effect.charge ?? '') : effect.id;
    const charge = this.#state.store.ledger.find(provider, chargeId) ?? effect;
    return { provider, id, type: `charge.${EVENT[charge.status]}`, data: dataOf(charge) };
  }
}

export function newEventId(): string {
  return `evt_${randomBytes(12).toString('hex')}`;
}

/** The `data` member about an effect: the provider's own charge or refund. */
export function dataOf(effect: Effect): Record<string, Record<string, unknown>> {
  return effect.kind === 'refund' ? { refund: childBody(effect) } : { charge: chargeBody(effect) };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
