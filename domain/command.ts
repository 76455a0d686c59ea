/**
 * What a provider is told to do: the operation's parameters in the words that every provider serves.
 * A new kind is one more member here and one more entry in the adapters that serve it.
 */

/** Take `amount` (minor units of `currency`) from the payer's instrument `source`. */
export interface ChargeCommand {
  readonly kind: 'charge';
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Give back `amount` (minor units of `currency`) of the charge that the provider calls `charge`. */
export interface RefundCommand {
  readonly kind: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
}

/** Bring `text` to the recipient `to`, an address in the provider's own form. */
export interface MessageCommand {
  readonly kind: 'message';
  readonly to: string;
  readonly text: string;
}

/** Commands that move money; they have an amount and a currency. */
export type PaymentCommand = ChargeCommand | RefundCommand;

/** Any command. */
export type Command = PaymentCommand | MessageCommand;

/** The kinds that a provider may serve. */
export type CommandKind = Command['kind'];
