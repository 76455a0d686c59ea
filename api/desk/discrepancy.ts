/** The discrepancy of an ended intent: what contradicts it, and the form that closes it. */
import { randomUUID } from 'node:crypto';
import { MOST_EVIDENCE, MOST_REASON } from '../../domain/decision-form';
import { type Closing } from '../../domain/later-contradiction';
import { type IntentRow } from '../../store/intent-row';
import { type Html, html, type Part } from '../html';
import { proof, time } from './layout';
import { intentPage } from './paths';
import { type SignedIn } from './session';

/** What each closing says, by what the recorded outcome was. */
function closingWords(closing: Closing, status: IntentRow['status']): string {
  return closing === 'outcome_stands'
    ? `it is ${status}, as recorded: the evidence against it was wrong`
    : 'the evidence is right: what follows from it was done outside';
}

/** Nothing where nothing contradicts. */
export function discrepancy(intent: IntentRow, who: SignedIn): Part {
  const {
    discrepancySince: since,
    discrepancyReason: reason,
    discrepancyClosedAt: closed,
  } = intent;
  if (since === null) return null;
  if (closed !== null) {
    return html`<p class="calm">
      Discrepancy since ${time(since)}, closed ${time(closed)}, the evidence was right: ${reason}
    </p>`;
  }
  return html`<p class="alert" role="alert">Discrepancy since ${time(since)}: ${reason}</p>
    ${closeForm(intent, since, who)}`;
}

/** The id is made with the page: a form that is sent twice is one closing. */
function closeForm({ id, status }: IntentRow, since: Date, who: SignedIn): Html {
  const choice = (closing: Closing): Html =>
    html`<label
      ><input type="radio" name="closing" value="${closing}" required />
      <span><strong>${closing}</strong>: ${closingWords(closing, status)}</span></label
    >`;
  return html`<form class="decide" method="post" action="${intentPage(id)}/discrepancy/close">
    ${proof(who)}
    <input type="hidden" name="since" value="${since.toISOString()}" />
    <fieldset>
      <legend>Close the discrepancy</legend>
      <p>The outcome stays ${status}. Look into the provider’s own books first.</p>
      ${choice('outcome_stands')} ${choice('evidence_stands')} ${becauseFields()}
      <button>Close the discrepancy</button>
    </fieldset>
  </form>`;
}

/** What every closing needs: its id, what proves it, what was done. */
function becauseFields(): Html {
  return html`<input type="hidden" name="decision_id" value="${randomUUID()}" />
    <label for="evidence">Evidence: what proves it</label>
    <input id="evidence" name="evidence" maxlength="${MOST_EVIDENCE}" required />
    <label for="reason">Reason: what was done about it</label>
    <input id="reason" name="reason" maxlength="${MOST_REASON}" required />`;
}
