/**
 * Why an intent stands where it stands: the belief, the evidence it rests on with the number of the
 * decision rule (docs/decision-rules.md), everything that was sent and seen, and what comes next. Derived by the
 * same functions that act.
 */
import { type z } from 'zod';
import { type Belief } from '../domain/assess';
import { judgeReverts } from '../domain/assess-revert';
import { type Attempt, type Finding, type Journal, type Observation } from '../domain/journal';
import { legalDecisions } from '../domain/decision';
import { type Situation, type Step } from '../domain/step';
import { providerKey, providerReference } from '../domain/identity';
import { standing } from '../domain/standing';
import { type DecisionRow } from '../store/decision-row';
import { type IntentRow } from '../store/intent-row';
import { type explanationShape } from './openapi/shapes';

type Shape = z.infer<typeof explanationShape>;

/** One reason: a rule, and the observation (by its place in the list) that it was applied to. */
interface Reason {
  readonly rule: string;
  readonly observation: number | null;
}

/** Everything that an explanation is made from. */
export interface Explained {
  readonly intent: IntentRow;
  readonly journal: Journal;
  readonly decisions: readonly DecisionRow[];
  /** Operators are shown the words of decisions, and who asked for a cancel. */
  readonly isOperator: boolean;
}

/** The explanation of an intent at the moment its journal was read. */
export function explain({ intent, journal, decisions, isOperator }: Explained): Shape {
  const { contract, policy } = intent;
  const situation = { journal, contract, policy, now: journal.readAt };
  const { belief, step, reason, nextStepAt } = standing(situation);
  return {
    intent: intent.id,
    status: intent.status,
    belief: belief.kind,
    because: reasonsFor(belief, step, journal.observations),
    observations: journal.observations.map(observationView),
    attempts: sentFor(belief, situation).map(({ attempt, proven }) => ({
      ...attemptView(attempt, proven),
      reference: providerReference(intent.id, attempt.effect),
      provider_key: providerKey(intent.id, attempt.effect, attempt.generation),
    })),
    allowed: [...legalDecisions(situation)],
    decisions: decisions.map((row) => decisionView(row, isOperator)),
    cancel: cancelView(intent, isOperator),
    next: { step: step.kind, at: nextStepAt === null ? null : toText(nextStepAt), reason },
  };
}

interface Sent {
  readonly attempt: Attempt;
  /** What is proven of it; null while nothing is. */
  readonly proven: string | null;
}

/** Everything that was sent, in its order: the effect and its undoing. */
function sentFor({ attempts }: Belief, { journal, contract }: Situation): readonly Sent[] {
  const applied = attempts.map(({ attempt, proof }): Sent => ({ attempt, proven: proof }));
  const undone = judgeReverts(journal, contract).map(({ attempt, verdict }): Sent => ({
    attempt,
    proven: verdict,
  }));
  return [...applied, ...undone].sort((a, b) => a.attempt.openedAt - b.attempt.openedAt);
}

function reasonsFor(belief: Belief, step: Step, observations: readonly Observation[]): Reason[] {
  const about = (rule: string, ...kinds: readonly Finding['kind'][]): Reason[] => {
    const seen = observations.flatMap(({ finding }, index) =>
      kinds.includes(finding.kind) ? [{ rule, observation: index }] : [],
    );
    return seen.length > 0 ? seen : [{ rule, observation: null }];
  };
  const waiting =
    'awaits' in belief && belief.awaits !== null
      ? about('10: a decision counts when a look-up confirms it, or none can', 'decided')
      : [];
  const review = step.kind === 'review' ? about('7: patience or means are used up') : [];
  switch (belief.kind) {
    case 'not_applied':
      if (belief.attempts.length === 0) return about('1: nothing was sent');
      return [
        ...about('3 and 6: every attempt is proven without effect', 'absent', 'not_sent'),
        ...(belief.attempts.some((one) => one.proof === 'decided')
          ? about('10: an operator decided, and nothing speaks against it', 'decided')
          : []),
      ];
    case 'rejected':
      return about('6: the provider refused, and nothing else can land', 'rejected');
    case 'in_flight':
      return about('2: a send is under way');
    case 'doubt':
      return [
        ...about('2: sent, and not known what became of it', 'unknown', 'absent'),
        ...(belief.frozen ? about('5: a saved error never improves by repeating', 'unknown') : []),
        ...waiting,
        ...review,
      ];
    case 'pending':
      return [
        ...about('2: the provider has it and answers later', 'pending'),
        ...waiting,
        ...review,
      ];
    case 'applied':
      return belief.providerId === null
        ? about('10: an operator decided that it was applied', 'decided')
        : about('the provider shows the effect', 'applied');
    case 'conflict':
      return about(
        '9: the evidence contradicts itself or the intent',
        'conflict',
        'reverted',
        'decided',
      );
  }
}

function observationView(one: Observation) {
  const { source, finding, effect, attempt, askedAt, observedAt } = one;
  return {
    source,
    effect,
    finding: finding.kind,
    attempt,
    asked_at: toText(askedAt),
    observed_at: toText(observedAt),
    detail: detailOf(finding),
  };
}

/** What the finding says beside its kind, in the API's spelling. */
function detailOf(finding: Finding): Shape['observations'][number]['detail'] {
  switch (finding.kind) {
    case 'applied':
    case 'pending':
    case 'reverted':
      return { provider_id: finding.providerId };
    case 'rejected':
      return { code: finding.code, declined: finding.declined };
    case 'unknown':
      return { why: finding.why, frozen: finding.frozen };
    case 'not_sent':
      return { why: finding.why };
    case 'conflict':
      return { what: finding.what };
    case 'decided':
      return {
        decision: finding.decision,
        decision_id: finding.decisionId,
        attempts: finding.attempts,
        override: finding.override,
      };
    case 'absent':
      return {};
  }
}

function attemptView(attempt: Attempt, proof: string | null) {
  return {
    effect: attempt.effect,
    number: attempt.number,
    generation: attempt.generation,
    opened_at: toText(attempt.openedAt),
    send_deadline: toText(attempt.sendDeadline),
    verdict: attempt.verdict,
    proven: proof,
  };
}

/** Who decided, evidence and reason are for operators; a tenant learns what was decided, and when. */
function decisionView(row: DecisionRow, isOperator: boolean): Shape['decisions'][number] {
  return {
    decision_id: row.approves ?? row.id,
    decision: row.kind,
    ...(row.closes !== null && 'closing' in row.closes && { closing: row.closes.closing }),
    state: row.state,
    override: row.override,
    ...(isOperator ? { operator: row.operator } : {}),
    authenticated: row.authenticated,
    decided_at: row.decidedAt.toISOString(),
    refusal: row.refusalDetail,
    ...(isOperator ? { evidence: row.evidence, reason: row.reason } : {}),
  };
}

function cancelView({ cancelRequestedAt, cancelRequestedBy }: IntentRow, isOperator: boolean) {
  if (cancelRequestedAt === null) return null;
  return {
    requested_at: cancelRequestedAt.toISOString(),
    ...(isOperator ? { by: cancelRequestedBy } : {}),
  };
}

function toText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
