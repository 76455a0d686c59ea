/**
 * When evidence opens a discrepancy again that a person has closed. A belief is made from the whole
 * journal, so what was closed would contradict for ever: only what was recorded after the closing can
 * open another one (INV-6).
 */
import { type Finding } from './journal';
import { type Status } from './status';

/**
 * What a person found out about a discrepancy.
 * - `outcome_stands`: the recorded outcome is right, the evidence against it was wrong
 * - `evidence_stands`: the evidence is right, and what follows from it was done outside
 */
export const CLOSINGS = ['outcome_stands', 'evidence_stands'] as const;
export type Closing = (typeof CLOSINGS)[number];

/** Findings about the effect of a final intent, by whether the closing knew them. */
export interface ClosedCase {
  readonly status: Status;
  /** The provider's id of the known effect; null where there is none, or only an operator's word. */
  readonly providerId: string | null;
  readonly closing: Closing;
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
}

/**
 * True where a later finding speaks against the outcome. The same again is no news after
 * `evidence_stands`; after `outcome_stands` it is: a person said that it is not so.
 */
export function isContradictedAnew(closed: ClosedCase): boolean {
  const known = closed.closing === 'evidence_stands' ? closed.before.map(textOf) : [];
  return closed.after.some(
    (finding) => speaksAgainst(finding, closed) && !known.includes(textOf(finding)),
  );
}

function speaksAgainst(finding: Finding, { status, providerId }: ClosedCase): boolean {
  const succeeded = status === 'succeeded';
  switch (finding.kind) {
    case 'conflict':
      return true;
    case 'applied':
    case 'pending':
      return !succeeded || (providerId !== null && finding.providerId !== providerId);
    case 'rejected':
    case 'reverted':
    case 'absent':
      return succeeded;
    // An operator's word came before the end or was refused; the others say nothing of the effect.
    case 'decided':
    case 'not_sent':
    case 'unknown':
      return false;
  }
}

/** Findings are flat, and stored as JSON: the order of members is not theirs. */
function textOf(finding: Finding): string {
  return JSON.stringify(Object.entries(finding).sort(([one], [other]) => (one < other ? -1 : 1)));
}
