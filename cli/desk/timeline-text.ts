/**
 * An intent's life, line by line, as `/desk` draws it: what was sent, what was learned, what people did,
 * with the time since the first of them.
 */
import { type Explanation } from '../../client/types';

interface Line {
  readonly at: string;
  readonly lane: 'sent' | 'learned' | 'people';
  readonly words: string;
}

/** Renders it. */
export function timelineText(explanation: Explanation): string {
  // Stable, so that lines of one moment stay in the order in which they were recorded.
  const lines = linesOf(explanation).sort((one, other) => one.at.localeCompare(other.at));
  const [first] = lines;
  if (first === undefined) return '  nothing has happened yet\n';
  const began = Date.parse(first.at);
  return lines
    .map(({ at, lane, words }) => {
      const after = `+${((Date.parse(at) - began) / 1_000).toFixed(1)} s`;
      return `  ${at}  ${after.padStart(11)}  ${lane.padEnd(7)}  ${words}\n`;
    })
    .join('');
}

function linesOf({ attempts, observations, decisions, cancel }: Explanation): Line[] {
  return [
    ...attempts.map(({ effect, number, opened_at: at, send_deadline: until }): Line => {
      const window = `${((Date.parse(until) - Date.parse(at)) / 1_000).toFixed(1)} s`;
      return { at, lane: 'sent', words: `${effect} ${number}, over after ${window}` };
    }),
    // An operator's observation is its decision, which has a line of its own.
    ...observations.flatMap(({ source, finding, attempt, observed_at: at, detail }, index) => {
      if (source === 'operator') return [];
      const about = attempt === null ? '' : `, attempt ${attempt}`;
      const words = `${index + 1}: ${source}: ${finding}${detailText(detail)}${about}`;
      return [{ at, lane: 'learned', words } satisfies Line];
    }),
    ...decisions.map((one): Line => ({
      at: one.decided_at,
      lane: 'people',
      words: decisionWords(one),
    })),
    ...(cancel === null
      ? []
      : [
          {
            at: cancel.requested_at,
            lane: 'people',
            words: `${cancel.by ?? 'somebody'}: cancel`,
          } satisfies Line,
        ]),
  ];
}

function decisionWords(one: Explanation['decisions'][number]): string {
  const who = `${one.operator}${one.authenticated ? '' : ' (claimed)'}`;
  const closing = one.closing === undefined ? '' : ` (${one.closing})`;
  const what = `${one.decision}${closing}${one.override ? ' (override)' : ''} ${one.decision_id}`;
  const why = [
    one.evidence && `evidence: ${one.evidence}`,
    one.reason && `reason: ${one.reason}`,
    one.refusal,
  ];
  return [`${who}: ${what}: ${one.state}`, ...why.filter(Boolean)].join('; ');
}

/** What a finding says beside its kind; what is not the case is left out. */
export function detailText(detail: Explanation['observations'][number]['detail']): string {
  const members = Object.entries(detail)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? name : `${name}: ${String(value)}`));
  return members.length === 0 ? '' : ` (${members.join(', ')})`;
}
