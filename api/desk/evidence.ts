/** Why an intent stands where it stands, in words: rules, attempts, observations, decisions. */
import { type DecisionRow } from '../../store/decision-row';
import { type explain } from '../explanation';
import { type Html, html, type Part } from '../html';
import { time } from './layout';

type Explanation = ReturnType<typeof explain>;

/** Everything that the drawing above it shows, and the derivation. */
export function evidence(explanation: Explanation, decisions: readonly DecisionRow[]): Html {
  return html`<h2>Why</h2>
    <p>Believed: <strong>${explanation.belief}</strong></p>
    <ul>
      ${explanation.because.map(
        ({ rule, observation }) =>
          html`<li>
            Rule ${rule}${observation !== null && html` (observation ${observation + 1})`}
          </li>`,
      )}
    </ul>
    <h2>Sent</h2>
    ${table(
      ['Effect', 'Attempt', 'Reference and key there', 'Opened', 'Send over', 'Proven'],
      explanation.attempts.map((one) => [
        one.effect,
        one.number,
        html`<code>${one.reference}</code><br /><code>${one.provider_key}</code>`,
        time(one.opened_at),
        time(one.send_deadline),
        one.proven ?? one.verdict ?? 'open',
      ]),
    )}
    <h2>Learned</h2>
    ${table(
      ['#', 'Source', 'Finding', 'Attempt', 'Asked', 'Recorded', 'Detail'],
      explanation.observations.map((one, index) => [
        index + 1,
        one.source,
        one.finding,
        one.attempt === null ? '' : `${one.effect} ${one.attempt}`,
        time(one.asked_at),
        time(one.observed_at),
        detail(one.detail),
      ]),
    )}
    <h2>Decided</h2>
    ${table(
      ['Decision', 'State', 'Operator', 'At', 'Evidence', 'Reason', 'Refused because'],
      decisions.map((one) => [
        `${one.kind}${closingOf(one)}${one.override ? ' (override)' : ''}`,
        one.state,
        `${one.operator}${one.authenticated ? '' : ' (claimed)'}`,
        time(one.decidedAt),
        one.evidence,
        one.reason,
        one.refusalDetail,
      ]),
    )}`;
}

function closingOf({ closes }: DecisionRow): string {
  return closes !== null && 'closing' in closes ? `: ${closes.closing}` : '';
}

function detail(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

function table(head: readonly string[], rows: readonly (readonly Part[])[]): Html {
  if (rows.length === 0) return html`<p>Nothing.</p>`;
  return html`<table>
    <thead>
      <tr>
        ${head.map((word) => html`<th scope="col">${word}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
