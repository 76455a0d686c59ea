/**
 * One story as a timeline: what Resolute did on the left, what the provider's ledger shows on the
 * right, in the order of time. Plain text of fewer than 100 columns; colours only underline.
 */
import pc from 'picocolors';
import { formatMoney } from '../../operations/currency';
import type { Explanation } from '../../client/types';
import type { PlayedStory } from './perform-story';

interface Entry {
  readonly at: number;
  readonly side: 'ours' | 'provider';
  readonly text: string;
  readonly tone?: (text: string) => string;
}

const LEFT_COLUMNS = 45;
const RIGHT_COLUMNS = 38;

/** The lines of the timeline, header first. */
export function timeline(played: PlayedStory): readonly string[] {
  const entries = [
    ...callersEntries(played),
    ...attemptEntries(played.explanation),
    ...observationEntries(played.explanation),
    ...played.incidents.map((one): Entry => ({ ...one, side: 'ours', tone: pc.red })),
    ...ledgerEntries(played),
  ];
  entries.sort((one, other) => one.at - other.at);
  const header = `${'time'.padStart(8)}  ${'Resolute'.padEnd(LEFT_COLUMNS)} | the provider's ledger`;
  return [
    pc.bold(header),
    ...entries.map((entry) => line(entry, played.requestedAt)),
    `${' '.repeat(10)}the same request again: ${played.repeat.httpStatus}, ` +
      (played.repeat.isRepeat ? 'recognised as a repeat' : 'taken for a new one'),
  ];
}

function line({ at, side, text, tone = (plain) => plain }: Entry, zero: number): string {
  const time = `+${(Math.max(at - zero, 0) / 1_000).toFixed(2)} s`.padStart(8);
  const [left, right] = side === 'ours' ? [text, ''] : ['', text];
  // Padded before it is coloured: escape sequences have no width.
  const shown = tone(cut(left, LEFT_COLUMNS).padEnd(LEFT_COLUMNS));
  return `${time}  ${shown} | ${tone(cut(right, RIGHT_COLUMNS))}`.trimEnd();
}

function callersEntries({ charge, answer, requestedAt, answeredAt }: PlayedStory): Entry[] {
  const { intent } = answer;
  const money = formatMoney(charge.amount, charge.currency);
  return [
    { at: requestedAt, side: 'ours', text: `request: charge ${money}, key ${short(charge.key)}` },
    { at: millis(intent.created_at), side: 'ours', text: 'intent recorded' },
    {
      at: answeredAt,
      side: 'ours',
      text: `answer to the caller: ${answer.httpStatus}, ${intent.status}`,
      tone: intent.status === 'succeeded' ? pc.green : pc.red,
    },
  ];
}

function attemptEntries({ attempts }: Explanation): Entry[] {
  return attempts.map(({ number, opened_at }, index) => {
    const before = attempts[index - 1];
    const why =
      before === undefined
        ? 'permit on disk'
        : `attempt ${before.number} ${before.verdict ?? 'open'}`;
    return { at: millis(opened_at), side: 'ours', text: `attempt ${number} opened (${why})` };
  });
}

function observationEntries(explanation: Explanation): Entry[] {
  return explanation.observations.map((observation) => {
    const { source, finding, observed_at, detail } = observation;
    const known = detail.provider_id === undefined ? detail.why : short(detail.provider_id);
    const more = finding === 'absent' ? missMeaning(observation, explanation) : known;
    return {
      at: millis(observed_at),
      side: 'ours',
      text: `${source.replace('_', '-')}: ${finding}${more === undefined ? '' : ` (${more})`}`,
      tone: finding === 'unknown' ? pc.yellow : (plain) => plain,
    };
  });
}

/** A miss proves something only once nothing that was sent can land any more: the last one did. */
function missMeaning(
  { observed_at }: Explanation['observations'][number],
  { attempts, observations }: Explanation,
): string {
  // Times in this form compare as texts.
  const asked = attempts.filter(({ opened_at }) => opened_at <= observed_at).at(-1);
  const next = attempts.find(({ opened_at }) => opened_at > observed_at)?.opened_at ?? '9';
  const isLast = !observations.some(
    (one) => one.finding === 'absent' && one.observed_at > observed_at && one.observed_at < next,
  );
  if (asked?.verdict !== 'absent' || !isLast) return 'too early to prove anything';
  return `attempt ${asked.number} had no effect`;
}

function ledgerEntries({ ledger }: PlayedStory): Entry[] {
  const calls = ledger.calls.map(({ call, at, behaviour }): Entry => {
    const what = call === 'query' ? 'look-up received' : `${call} received`;
    const fault = behaviour === 'honest' ? '' : `: ${behaviour}`;
    return { at: millis(at), side: 'provider', text: `${what}${fault}` };
  });
  const effects = ledger.effects.map(({ id, amount, currency, created_at }): Entry => {
    const text = `EFFECT ${formatMoney(amount, currency)} (${short(id)})`;
    return { at: millis(created_at), side: 'provider', text, tone: pc.cyan };
  });
  return [...calls, ...effects];
}

/** Enough of an id to recognise it by. */
function short(id: string): string {
  return `${id.slice(0, 11)}…`;
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
}

function millis(time: string): number {
  return Date.parse(time);
}
