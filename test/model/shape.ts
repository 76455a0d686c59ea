/**
 * A contract shape with the provider that keeps it, and the bound to which its world is explored. The
 * times are small, so that every boundary falls on a tick of its own and all of them can be reached.
 */
import { type ProviderContract } from '../../domain/contract';

/** The smallest step of the world's clock; the fence guard of the process is one of it. */
export const TICK_MS = 500;

/** What the provider does beyond applying and staying silent. */
export interface Behaviour {
  /** It may decline a request. */
  readonly declines: boolean;
  /** It may refuse a request without saving that: the same bytes may be taken later. */
  readonly refuses: boolean;
  /** Its look-up shows declines. */
  readonly listsDeclines: boolean;
  /** It may take a request and settle it later. */
  readonly pends: boolean;
  /** It may answer an error, with or without the effect, and save that error under the key. */
  readonly freezes: boolean;
  /** It may refuse to undo. */
  readonly refusesVoids: boolean;
  /** Its look-up may hide anything at any time: there a miss is no proof, whatever is believed. */
  readonly hides: boolean;
  /** How much later than the contract says bytes may land; 0 unless a control plants it. */
  readonly slipMs: number;
}

/** To where a world is explored: everything inside it, nothing beyond. */
export interface Bound {
  /** How many of the troubles below, in all, one story may hold. */
  readonly troubles: number;
  readonly ticks: number;
  readonly applies: number;
  readonly reverts: number;
  readonly lookUps: number;
  readonly notes: number;
  readonly cancels: number;
  /** Runs that decide to send, freeze before the permit, and come back at any time. */
  readonly stalls: number;
  /** Outages of the whole engine, of any length; otherwise it does at once what is due. */
  readonly outages: number;
  /** Answers to sends that a slow worker records at any later time. */
  readonly lateAnswers: number;
  /** Look-ups that are answered, and recorded, at any later time. */
  readonly slowLookUps: number;
  /** Decisions of operators, legal ones, true or wrong. */
  readonly decisions: number;
  /** Those of them that two persons may make. */
  readonly overrides: number;
}

/** One world to explore. */
export interface Shape {
  readonly name: string;
  readonly contract: ProviderContract;
  readonly provider: Behaviour;
  /** Whether notifications come, and whether they may lie. */
  readonly notes: 'none' | 'true' | 'lying';
  /** After it, counted from the beginning, nothing is sent; null: never. */
  readonly deadlineMs: number | null;
  readonly bound: Bound;
}

/** `n` ticks in milliseconds. */
export function ticks(n: number): number {
  return n * TICK_MS;
}
