// What a call is, what an effect is, and what is written to the journal.
// Everything the process must remember is one of these records; memory is only their replay.
// Members that end in `Ms` are milliseconds, instants counted from the Unix epoch.

import { type Answer } from './answer';
import { type Fault } from './fault';
import { type Settings } from './settings';
import { type CallKind, type EffectKind, type EffectStatus, type ProviderName } from './words';

/** One line of the ledger: something the provider did, has in hand, or declined. */
export interface Effect {
  readonly id: string;
  readonly kind: EffectKind;
  readonly provider: ProviderName;
  readonly key: string | null;
  readonly reference: string | null;
  /** Of a void or refund: the charge it is about. */
  readonly charge: string | null;
  readonly chargeReference: string | null;
  /** Of a message: its recipient. */
  readonly source: string;
  /** Integer minor units of `currency`; a message has neither. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly declineCode: string | null;
  readonly createdAtMs: number;
  status: EffectStatus;
  /** From when a look-up by reference shows this line. */
  visibleAtMs: number;
  /** Of a charge: the sum of its live refunds, minor units. */
  refunded: number;
  /** Of a voided charge: what it was, and from when a look-up by reference shows the void. */
  voided: { readonly from: EffectStatus; readonly visibleAtMs: number } | null;
  /** The `lagging` fault that already moved `visibleAtMs`, so that it moves it once only. */
  laggedBy: string | null;
}

/** One request as it was received, kept whether or not anything came of it. */
export interface Call {
  readonly call: CallKind;
  readonly provider: ProviderName;
  readonly key: string | null;
  readonly reference: string | null;
  readonly charge: string | null;
  readonly chargeReference: string | null;
  readonly source: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly atMs: number;
  /** The programmed `do`, or `honest`, `invalid` (refused as malformed), `not-offered`. */
  readonly behaviour: string;
}

/** A well-formed request for an effect; plain data, so that it can wait in the journal. */
export interface CreateRequest {
  readonly provider: ProviderName;
  readonly kind: EffectKind;
  /** Below the provider's own path; keys are remembered per provider and path. */
  readonly path: string;
  readonly key: string | null;
  /** Digest of the body: the same key with another digest is a reused key. */
  readonly digest: string;
  readonly reference: string | null;
  readonly charge: string | null;
  readonly chargeReference: string | null;
  /** Null for refunds and voids of an unknown charge, and the amount of a void likewise. */
  readonly source: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
}

/** An effect that is under way: it lands at `dueAtMs`, even if the process died in between. */
export interface Landing {
  readonly id: string;
  readonly dueAtMs: number;
  readonly request: CreateRequest;
  readonly visibleAfterMs: number | null;
  /** Whether its fault asked for a notification of its own (`emit`). */
  readonly announce: boolean;
  /** The provider is working on it (`slow`), so its key is in use until it lands. */
  readonly holdsKey: boolean;
}

type EffectChange = Partial<
  Pick<Effect, 'status' | 'visibleAtMs' | 'refunded' | 'voided' | 'laggedBy'>
>;

export type LedgerRecord =
  | { readonly type: 'call'; readonly call: Call }
  | { readonly type: 'effect'; readonly effect: Effect }
  | { readonly type: 'effect-changed'; readonly id: string; readonly change: EffectChange };

export type KeyRecord =
  | {
      readonly type: 'answer-saved';
      readonly address: string;
      readonly provider: ProviderName;
      readonly digest: string;
      readonly answer: Answer;
      readonly atMs: number;
    }
  | { readonly type: 'keys-forgotten'; readonly provider: ProviderName }
  | { readonly type: 'keys-honoured-again' };

export type ProgrammeRecord =
  | { readonly type: 'fault-programmed'; readonly fault: Fault }
  | { readonly type: 'fault-used'; readonly id: string }
  | { readonly type: 'faults-cleared' };

export type LandingRecord =
  | { readonly type: 'landing-scheduled'; readonly landing: Landing }
  | { readonly type: 'landed'; readonly id: string };

interface SettingsRecord {
  readonly type: 'settings-changed';
  readonly settings: Settings;
}

export type JournalRecord =
  LedgerRecord | KeyRecord | ProgrammeRecord | LandingRecord | SettingsRecord;
