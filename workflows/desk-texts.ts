/**
 * What operators see of a run in the Temporal Web UI: search attributes, changed only on entering and
 * leaving trouble; a timer's summary, the first text they read; the current details. Everything
 * foreign is escaped; nothing personal is known here.
 */
import { patched, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { providerKey, providerReference } from '../domain/identity';
import { type Attempt, type Journal, type Observation } from '../domain/journal';
import { type Standing } from '../domain/standing';
import { isFinal, type Status } from '../domain/status';
import {
  INTENT_ATTENTION,
  INTENT_STATUS,
  INTENT_UNKNOWN_SINCE,
} from '../orchestration/search-attributes';
import { decideTemplate } from './desk-help';
import { decideOffer } from './desk-updates';
import { type Run } from './run';
import { type SettleInput, subjectOf } from './settle-input';

/** The texts of one run. */
export interface DeskTexts {
  /** Shows where the intent stands now. */
  show(next: Standing): void;
  /** The summary of the timer that waits for the next step. */
  timer(next: Standing): string;
}

const LOOK_UPS_SHOWN = 5;
/** The panel's text travels in a URL. */
const LINES_SHOWN = 25;

/** Texts for the settlement of `input`. */
export function createDeskTexts(input: SettleInput, run: Run): DeskTexts {
  let shown: Attention | null = null;
  return {
    show(next) {
      setCurrentDetails(details(input, run, next));
      const attention = attentionOf(run.last.journal, next.status);
      if (attention !== shown) markAttention(attention, next);
      shown = attention;
    },
    timer: (next) => timerText(next).slice(0, 200),
  };
}

function timerText({ step, reason, nextStepAt }: Standing): string {
  if (nextStepAt === null) return `Waits for a person: ${reason}`;
  if (step.kind !== 'review') return `${reason} Next step ${clock(nextStepAt)}`;
  return `Waits for an operator: update "decide", help in User Metadata; next look-up ${clock(nextStepAt)}`;
}

/** Why a person should look; a proposal waits for a second one. */
type Attention = 'unknown' | 'review' | 'proposal' | 'cancel';

function markAttention(attention: Attention | null, { status, belief }: Standing): void {
  const inTrouble = attention !== null && attention !== 'cancel';
  upsertSearchAttributes([
    { key: INTENT_STATUS, value: status },
    { key: INTENT_ATTENTION, value: attention },
    {
      key: INTENT_UNKNOWN_SINCE,
      value: inTrouble && 'since' in belief ? new Date(belief.since) : null,
    },
  ]);
}

function attentionOf({ cancelRequestedAt, proposals }: Journal, status: Status): Attention | null {
  if (status === 'unknown' || status === 'in_review') {
    if (proposals !== undefined) return 'proposal';
    return status === 'in_review' ? 'review' : status;
  }
  if (cancelRequestedAt === null || isFinal(status)) return null;
  // Runs of earlier releases did not show it, and replay so.
  return patched('a-pending-cancel-asks-for-attention') ? 'cancel' : null;
}

function details(input: SettleInput, run: Run, next: Standing): string {
  const { journal } = run.last;
  const status = isFinal(journal.status) ? journal.status : next.status;
  return [
    `### ${status}: ${escape(next.reason)}`,
    `${subjectOf(input)} through ${input.provider} for ${input.tenant}`,
    '```',
    ...namesThere(input, journal),
    ...story(journal),
    next.nextStepAt === null ? 'no further step' : `${clock(next.nextStepAt)}  next step`,
    '```',
    ...(isFinal(status) ? [] : offer(input, run)),
  ].join('\n');
}

/** Under what the provider has it: what an operator looks for in its pages. */
function namesThere({ intentId }: SettleInput, { attempts }: Journal): readonly string[] {
  const named = attempts.flatMap(({ effect, generation }) => [
    `reference ${providerReference(intentId, effect)}`,
    `key ${providerKey(intentId, effect, generation)}`,
  ]);
  return [...new Set(named)];
}

function story(journal: Journal): readonly string[] {
  const lookUps = journal.observations.filter((one) => one.source === 'look_up');
  const hidden = lookUps.length - LOOK_UPS_SHOWN;
  const lines = [
    ...journal.attempts.map(
      (one) => `${clock(one.openedAt)}  ${nameOf(one)} opened, ${one.verdict ?? 'open'}`,
    ),
    ...journal.observations.filter((one) => one.source !== 'look_up').map((one) => line(one)),
    ...(hidden > 0 ? [`… ${hidden} earlier look-ups`] : []),
    ...lookUps.slice(-LOOK_UPS_SHOWN).map((one) => line(one)),
    ...(journal.proposals ?? []).map(
      (one) => `${clock(one.proposedAt)}  proposed ${one.decision} (${one.decisionId})`,
    ),
  ];
  return lines.length === 0 ? ['nothing sent yet'] : lines.slice(-LINES_SHOWN);
}

/** What may be decided now, with a template to paste. */
function offer(input: SettleInput, run: Run): readonly string[] {
  const { decisionId, legal } = decideOffer(input, run);
  const [first] = legal;
  if (first === undefined) return [];
  return [
    `**Legal now: ${legal.map((one) => one.replace('_', '\\_')).join(', ')}.** More Actions, Send an Update, "decide", then paste and fill in:`,
    '```',
    decideTemplate(decisionId, first),
    '```',
    'Done when the row leaves the list; key R refreshes this page.',
    ...(run.last.journal.proposals === undefined
      ? []
      : ['A proposal is approved by a second operator, through the API or the command line.']),
  ];
}

/** `attempt 2`; of the undoing `attempt 1 to undo`. */
function nameOf({ effect, number }: Pick<Attempt, 'effect' | 'number'>): string {
  return `attempt ${number}${effect === 'revert' ? ' to undo' : ''}`;
}

function line({ askedAt, source, finding, effect, attempt }: Observation): string {
  if (finding.kind === 'decided') {
    return `${clock(askedAt)}  ${source}: ${finding.decision} (${finding.decisionId})`;
  }
  const about = attempt === null ? '' : ` to ${nameOf({ effect, number: attempt })}`;
  const more = 'why' in finding ? `: ${finding.why.slice(0, 40)}` : '';
  return `${clock(askedAt)}  ${source}${about}: ${finding.kind}${more}`.replaceAll('`', "'");
}

/** `11-30 12:42:49Z`: the panel is 560 px wide. */
function clock(at: number): string {
  return `${new Date(at).toISOString().slice(5, 19).replace('T', ' ')}Z`;
}

/** Markdown and HTML of foreign texts must not look like ours. */
function escape(text: string): string {
  return text.replace(/[<>&[\]()|*_`\\\n\r]/g, ' ');
}
