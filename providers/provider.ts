/**
 * The face of a provider. An adapter translates: a command into a request, every answer into a
 * finding. It decides nothing about retries; its contract does. Whatever it does not recognise is
 * `unknown`, never success, never failure (INV-5). Adapters return findings; they throw only on bugs.
 */
import { type VariableName } from '../config/environment';
import { type Command, type CommandKind } from '../domain/command';
import { type ProviderContract } from '../domain/contract';
import { type Finding } from '../domain/journal';
import { type Told } from '../domain/told-effect';
import { type NotificationReader } from './notification';
import { type NotificationSecrets } from './notification-secrets';

/** The permit to send once: what the open attempt allows, and until when. */
export interface Permit {
  /** The stable key of this effect and generation. */
  readonly providerKey: string;
  /** Our own name for the effect; goes into the request, where the provider can be asked by it. */
  readonly reference: string;
  /** Monotonic deadline (`performance.now()`, milliseconds): no byte leaves after it. */
  readonly deadline: number;
}

/** The question what became of an effect. */
export interface Inquiry {
  readonly providerKey: string;
  readonly reference: string;
  /**
   * When it may have been sent: from the opening of the first attempt to the send deadline of the
   * last, in milliseconds since the epoch on the database's clock, which is not the provider's.
   */
  readonly sent: { readonly from: number; readonly until: number };
  /** Monotonic, as in {@link Permit}. */
  readonly deadline: number;
}

/** The permit to undo an applied effect once. */
export interface RevertPermit extends Permit {
  /** The provider's own id of the effect. */
  readonly providerId: string;
}

/** One line of the registry: how a provider, or a family of them, comes out of the environment. */
export interface Registration {
  /** The variable that may change the contracts, to be named in a refusal; null where none does. */
  readonly contractsFrom: VariableName | null;
  /** An environment in which it exists, so that its contracts can be described without it. */
  readonly example: Readonly<Partial<Record<VariableName, string>>>;
  /**
   * The providers; none where the environment does not ask for them. One without a secret of its own
   * takes no notifications. Throws ConfigurationError.
   */
  create(env: NodeJS.ProcessEnv, secrets: NotificationSecrets): readonly Provider[];
}

/** Which effects to list, a page at a time. */
export interface ListingRange {
  readonly kind: CommandKind;
  /** By the provider's own times of creation: from the first on, before the second. */
  readonly since: Date;
  readonly until: Date;
  /** Where the last page ended; null for the first. */
  readonly cursor: string | null;
  /** Monotonic (`performance.now()`, milliseconds). */
  readonly deadline: number;
}

/** One effect as a listing shows it. */
export interface ListedEffect extends Told {
  /** The reference that it carries, ours or somebody else's; null where it has none. */
  readonly reference: string | null;
}

/**
 * - `page`: effects, oldest first; `next` is null on the last page; `unreadable` counts those that
 *   could not be understood
 * - `failed`: no page; the same may be asked again
 */
export type Listing =
  | {
      readonly kind: 'page';
      readonly effects: readonly ListedEffect[];
      readonly unreadable: number;
      readonly next: string | null;
    }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * What the provider says of the credentials: they are of the account that is configured, of another one,
 * or it could not be found out.
 */
export type AccountCheck =
  | { readonly kind: 'same' }
  | { readonly kind: 'other'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** One registered provider. */
export interface Provider {
  readonly name: string;
  /**
   * Whose effects the credentials reach, and within what a key is one key; no secret. It is recorded with
   * each intent, and nobody with another account sends for it or asks about it.
   */
  readonly account: string;
  /** The contract per command kind that it serves; an absent kind is not served. */
  readonly contracts: Readonly<Partial<Record<CommandKind, ProviderContract>>>;
  /** Sends once. */
  send(command: Command, permit: Permit): Promise<Finding>;
  /** Undoes an applied effect once; called only where the contract can revert. */
  revert(command: Command, permit: RevertPermit): Promise<Finding>;
  /** Asks once; called only where the contract has a look-up. */
  lookUp(command: Command, inquiry: Inquiry): Promise<Finding>;
  /** Lists effects; present where a contract says `lists`. A listing is a pointer, never evidence. */
  listEffects?(range: ListingRange): Promise<Listing>;
  /** Reads its notifications; null where none come, or where no secret is configured to prove them. */
  readonly readNotification: NotificationReader | null;
  /** Asks once, before a monotonic deadline, whose the credentials are; absent where nobody can say. */
  checkAccount?(deadline: number): Promise<AccountCheck>;
  /** Lets go of connections. */
  close(): Promise<void>;
}
