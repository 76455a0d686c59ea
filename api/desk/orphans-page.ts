/** Effects without an intent: what they are, what to do, and a form for each that closes it. */
import { randomUUID } from 'node:crypto';
import { MOST_EVIDENCE, MOST_REASON } from '../../domain/decision-form';
import { type OpenOrphan } from '../../store/orphan-effects';
import { type Html, html } from '../html';
import { type Notice, noticeLine } from './notice';
import { page, proof, type Surroundings, time } from './layout';
import { ORPHANS_PAGE } from './paths';
import { type SignedIn } from './session';

/** What the page is made from. */
export interface Orphans {
  readonly orphans: readonly OpenOrphan[];
  /** What came of the last form, in one sentence. */
  readonly notice: Notice | null;
}

/** Renders it. */
export function orphansPage(
  { orphans, notice }: Orphans,
  who: SignedIn,
  surroundings: Surroundings,
): Html {
  return page({
    title: `${orphans.length} effects without an intent`,
    who,
    surroundings,
    content: html`${noticeLine(notice)}
      <h1>Effects without an intent</h1>
      <p>
        A provider shows them under a reference of ours, and this database knows no such intent: it
        was restored, or another installation uses the same account. Nothing was touched. Find out
        whose they are in the provider’s own books, tell the tenant, and close them.
      </p>
      ${
        orphans.length === 0
          ? html`<p class="calm">There are none.</p>`
          : orphans.map((one) => closeForm(one, who))
      }`,
  });
}

function closeForm({ provider, providerId, about, seenAt }: OpenOrphan, who: SignedIn): Html {
  const field = (name: string): string => `${name}-${provider}-${providerId}`;
  return html`<form class="decide" method="post" action="${ORPHANS_PAGE}/close">
    ${proof(who)}
    <input type="hidden" name="provider" value="${provider}" />
    <input type="hidden" name="provider_id" value="${providerId}" />
    <input type="hidden" name="decision_id" value="${randomUUID()}" />
    <fieldset>
      <legend>${provider}: <code>${providerId}</code></legend>
      <p>Seen ${time(seenAt)}. Its reference names the intent <code>${about}</code>.</p>
      <label for="${field('evidence')}">Evidence: whose it is, and where that stands</label>
      <input id="${field('evidence')}" name="evidence" maxlength="${MOST_EVIDENCE}" required />
      <label for="${field('reason')}">Reason: what was done about it</label>
      <input id="${field('reason')}" name="reason" maxlength="${MOST_REASON}" required />
      <button>Close</button>
    </fieldset>
  </form>`;
}
