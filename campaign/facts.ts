/** What the judge of a campaign is shown, and what it can find. */
import { type Status } from '../domain/status';

/** Kinds of effects that intents ask for. */
export type Kind = 'charge' | 'refund' | 'message';

/** An intent as PostgreSQL has it at the end. */
export interface IntentFact {
  readonly id: string;
  readonly key: string;
  readonly kind: Kind;
  /** Of a refund its charge's, of a message the recipient. */
  readonly source: string;
  /** Minor units; null of a message. */
  readonly amount: number | null;
  /** Of a refund: the intent of its charge. */
  readonly charge: string | null;
  readonly provider: string;
  readonly status: Status;
  readonly workflowId: string;
  readonly discrepancy: string | null;
}

/** An effect in the provider's ledger. */
export interface EffectFact {
  readonly kind: Kind;
  readonly source: string;
  readonly amount: number | null;
  readonly status: string;
}

/** Refusals that record nothing: there is no intent to be told of. */
export type Refusal = 'refund-exceeds-charge' | 'charge-not-refundable';

/** A refund that the gateway refused. */
export interface RefusalFact {
  readonly key: string;
  readonly why: Refusal;
  /** Id of the charge's intent, and what its caller had been told of it before. */
  readonly charge: string;
  readonly chargeWas: string | null;
  readonly amount: number;
}

/** What is compared. */
export interface Books {
  /** The keys that callers used and must have an intent. */
  readonly keys: readonly string[];
  readonly intents: readonly IntentFact[];
  readonly effects: readonly EffectFact[];
  /** Workflow ids of the settlements that are open. */
  readonly openWorkflows: readonly string[];
  /** Operators have decided all they could: nothing may be in review any more. */
  readonly isDecided: boolean;
  /** Each caller's last answer: the key, the intent that it was told, or why there is none. */
  readonly answers: readonly {
    readonly key: string;
    readonly intent: string | null;
    readonly refused?: Refusal | null;
  }[];
  readonly refusals: readonly RefusalFact[];
}

/** A contradiction, in words that name the intent. */
export interface Finding {
  readonly kind:
    | 'lost'
    | 'identity'
    | 'doubled'
    | 'false-failure'
    | 'false-success'
    | 'wrong-amount'
    | 'over-refunded'
    | 'false-refusal'
    | 'unfinished'
    | 'undecided'
    | 'orphan'
    | 'discrepancy';
  readonly about: string;
}

/** Statuses of the ledger under which money moved, or may still. */
export const LIVE: ReadonlySet<string> = new Set(['succeeded', 'pending', 'requires_action']);
