/** An intent in a few lines: the facts, then the commands that are legal now. */
import { type Explanation, type Intent } from '../../client/types';
import { moneyOf } from '../../operations/currency';
import { moment, pairs } from './text';

/** Renders it. */
export function intentText(intent: Intent, explanation: Explanation): string {
  const { id, unknown_since: unknown, review_since: review, discrepancy } = intent;
  const facts = pairs([
    ['intent', id],
    ['operation', intent.operation],
    ['amount', moneyOf(intent.amount, intent.currency)],
    ['reference', intent.reference],
    ['status', intent.status],
    ['why', intent.reason],
    ['provider', [intent.provider, intent.provider_id ?? ''].join(' ').trim()],
    ['reference there', explanation.attempts[0]?.reference ?? null],
    ['attempts', String(intent.attempts)],
    ['created', moment(intent.created_at)],
    ['unknown since', moment(unknown)],
    ['in review since', moment(review)],
    ['ended', moment(intent.finalised_at)],
    ['discrepancy', discrepancyText(discrepancy)],
    ['cancel', cancelText(explanation)],
    ['next step', nextText(explanation)],
    ['Web UI', intent.links.desk],
  ]);
  const commands = [...commandsFor(id, explanation), ...closeCommand(intent)];
  return commands.length === 0 ? facts : `${facts}\nLegal now:\n${commands.join('')}`;
}

function discrepancyText(discrepancy: Intent['discrepancy']): string | null {
  if (discrepancy === null) return null;
  const { since, reason, closed_at: closed } = discrepancy;
  const end = closed === null ? '' : `, closed ${moment(closed)}, the evidence was right`;
  return `since ${moment(since)}${end}: ${reason ?? ''}`;
}

/** It names the discrepancy to the millisecond, so that another one is never closed in its place. */
function closeCommand({ id, discrepancy }: Intent): readonly string[] {
  if (discrepancy === null || discrepancy.closed_at !== null) return [];
  return [
    `  resolute close ${id} outcome_stands|evidence_stands --since ${discrepancy.since} --evidence … --reason …\n`,
  ];
}

function cancelText({ cancel }: Explanation): string | null {
  return cancel && `asked for by ${cancel.by ?? 'somebody'}, ${moment(cancel.requested_at)}`;
}

/** What the engine does next and when. */
export function nextText({ next }: Explanation): string {
  return [next.step, next.at === null ? '' : `at ${moment(next.at)}`].join(' ').trim();
}

function commandsFor(id: string, { allowed, decisions }: Explanation): readonly string[] {
  const proposals = openProposals(decisions).map(
    (one) =>
      `  resolute approve ${id} ${one.decision_id}    (${one.decision} by ${one.operator}: ${one.reason ?? ''})\n`,
  );
  const decide =
    allowed.length === 0
      ? []
      : [`  resolute decide ${id} ${allowed.join('|')} --evidence … --reason …\n`];
  return [...proposals, ...decide];
}

type Decisions = Explanation['decisions'];

/** Decisions that wait for a second person. */
function openProposals(decisions: Decisions): Decisions {
  const approved = new Set(
    decisions
      .filter((one) => one.decision === 'approve' && one.state === 'effective')
      .map((one) => one.decision_id),
  );
  return decisions.filter((one) => one.state === 'proposed' && !approved.has(one.decision_id));
}
