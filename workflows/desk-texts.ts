/**
 * What operators see of a run in the Temporal Web UI: search attributes, changed only on entering and
 * leaving trouble; a timer's summary, the first text they read; the current details. Everything
 * foreign is escaped; nothing personal is known here.
 */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { type Journal, type Observation } from '../domain/journal';
import { type Standing } from '../domain/standing';
import { type Status } from '../domain/status';
import {
  INTENT_ATTENTION,
  INTENT_STATUS,
  INTENT_UNKNOWN_SINCE,
} from '../orchestration/search-attributes';
import { type SettleInput, subjectOf } from './settle-input';

/** The texts of one run. */
export interface DeskTexts {
  /** Shows where the intent stands now. */
  show(journal: Journal, next: Standing): void;
  /** The summary of the timer that waits for the next step. */
  timer(next: Standing): string;
}

const LOOK_UPS_SHOWN = 5;

/** Texts for the settlement of `input`. */
export function createDeskTexts(input: SettleInput): DeskTexts {
  let shown: Trouble | null = null;
  return {
    show(journal, next) {
      setCurrentDetails(details(input, journal, next));
      const trouble = troubleOf(next.status);
      if (trouble !== shown) markTrouble(trouble, next);
      shown = trouble;
    },
    timer: (next) =>
      next.nextStepAt === null
        ? `Waits for a person: ${next.reason}`.slice(0, 200)
        : `${next.reason} Next step ${clock(next.nextStepAt)}`.slice(0, 200),
  };
}

type Trouble = Extract<Status, 'unknown' | 'in_review'>;

function markTrouble(trouble: Trouble | null, { status, belief }: Standing): void {
  const attention = trouble === 'in_review' ? 'review' : trouble;
  const since = trouble !== null && 'since' in belief ? new Date(belief.since) : null;
  upsertSearchAttributes([
    { key: INTENT_STATUS, value: status },
    { key: INTENT_ATTENTION, value: attention },
    { key: INTENT_UNKNOWN_SINCE, value: since },
  ]);
}

function troubleOf(status: Status): Trouble | null {
  return status === 'unknown' || status === 'in_review' ? status : null;
}

function details(input: SettleInput, journal: Journal, next: Standing): string {
  const lookUps = journal.observations.filter((one) => one.source === 'look_up');
  const hidden = lookUps.length - LOOK_UPS_SHOWN;
  const lines = [
    ...journal.attempts.map(
      (one) => `${clock(one.openedAt)}  attempt ${one.number} opened, ${one.verdict ?? 'open'}`,
    ),
    ...journal.observations.filter((one) => one.source !== 'look_up').map((one) => line(one)),
    ...(hidden > 0 ? [`… ${hidden} earlier look-ups`] : []),
    ...lookUps.slice(-LOOK_UPS_SHOWN).map((one) => line(one)),
  ];
  return [
    `### ${next.status}: ${escape(next.reason)}`,
    `${subjectOf(input)} through ${input.provider} for ${input.tenant}`,
    '```',
    ...(lines.length === 0 ? ['nothing sent yet'] : lines),
    next.nextStepAt === null ? 'no further step' : `${clock(next.nextStepAt)}  next step`,
    '```',
  ].join('\n');
}

function line({ askedAt, source, finding, attempt }: Observation): string {
  const about = attempt === null ? '' : ` to attempt ${attempt}`;
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
