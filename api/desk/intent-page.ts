/** One intent: where it stands, why, what happened, and what may be decided now. */
import { randomUUID } from 'node:crypto';
import { legalDecisions } from '../../domain/decision';
import { MOST_EVIDENCE, MOST_REASON } from '../../domain/decision-form';
import { type DecisionKind, type Journal } from '../../domain/journal';
import { providerReference } from '../../domain/identity';
import { isFinal } from '../../domain/status';
import { moneyOf } from '../../operations/currency';
import { type DecisionRow } from '../../store/decision-row';
import { type IntentRow } from '../../store/intent-row';
import { explain } from '../explanation';
import { discrepancy } from './discrepancy';
import { evidence } from './evidence';
import { type Html, html, type Part } from '../html';
import { page, proof, type Surroundings, time } from './layout';
import { type Notice, noticeLine } from './notice';
import { intentPage as pathOf } from './paths';
import { type SignedIn } from './session';
import { timeline } from './timeline';

/** What the page is made from. */
export interface IntentCase {
  readonly intent: IntentRow;
  readonly journal: Journal;
  readonly decisions: readonly DecisionRow[];
  readonly deskUrl: string;
  /** What came of the last form, in one sentence. */
  readonly notice: Notice | null;
}

/** Renders it. */
export function intentPage(one: IntentCase, who: SignedIn, surroundings: Surroundings): Html {
  const { intent, journal, decisions, notice } = one;
  const explanation = explain({ intent, journal, decisions, isOperator: true });
  return page({
    title: `${intent.tenant} ${intent.businessKey}: ${intent.status}`,
    who,
    surroundings,
    content: html`${noticeLine(notice)}
      <h1>
        ${moneyOf(intent.amount, intent.currency) || intent.operation}
        <span class="badge">${intent.status}</span>
      </h1>
      ${facts(one)}
      <p class="reason">
        ${intent.reason}
        ${explanation.next.at !== null && html`Next: ${time(explanation.next.at)}.`}
      </p>
      ${discrepancy(intent, who)} ${actions(one, who)}
      <h2>Timeline</h2>
      ${timeline(journal, decisions)} ${evidence(explanation, decisions)}`,
  });
}

function facts({ intent, deskUrl }: IntentCase): Html {
  return html`<dl class="facts">
    <div>
      <dt>Tenant</dt>
      <dd>${intent.tenant}</dd>
    </div>
    <div>
      <dt>Reference</dt>
      <dd>${intent.businessKey}</dd>
    </div>
    <div>
      <dt>Operation</dt>
      <dd>${intent.operation}</dd>
    </div>
    <div>
      <dt>Provider</dt>
      <dd>${intent.provider} ${intent.providerId}</dd>
    </div>
    <div>
      <dt>Reference there</dt>
      <dd><code>${providerReference(intent.id, 'apply')}</code></dd>
    </div>
    <div>
      <dt>Recorded</dt>
      <dd>${time(intent.createdAt)}</dd>
    </div>
    <div>
      <dt>Intent</dt>
      <dd><code>${intent.id}</code></dd>
    </div>
    <div>
      <dt>Workflow</dt>
      <dd><a href="${deskUrl}/${encodeURIComponent(intent.workflowId)}">in the Web UI</a></dd>
    </div>
  </dl>`;
}

function actions(one: IntentCase, who: SignedIn): Part {
  const { intent, journal } = one;
  if (isFinal(intent.status)) {
    const refundable = intent.status === 'succeeded' && intent.discrepancySince === null;
    return html`<p class="calm">
      It has ended. ${refundable && 'What succeeded can be refunded by its tenant.'}
    </p>`;
  }
  const { contract, policy } = intent;
  const legal = legalDecisions({ journal, contract, policy, now: journal.readAt });
  return html`<section aria-label="Actions">
    ${openProposals(one.decisions).map((proposal) => approval(proposal, one, who))}
    ${legal.length > 0 && decideForm(legal, one, who)}
    <div class="buttons">
      ${
        contract.lookUp !== null &&
        html`<form method="post" action="${pathOf(intent.id)}/look-up">
          ${proof(who)}<button>Ask the provider now</button>
        </form>`
      }
      ${
        intent.cancelRequestedAt === null &&
        html`<form method="post" action="${pathOf(intent.id)}/cancel">
          ${proof(who)}<button>Cancel</button>
          <small>Nothing is sent any more; what was applied is undone.</small>
        </form>`
      }
    </div>
  </section>`;
}

/** Proposals that nobody approved yet. */
function openProposals(decisions: readonly DecisionRow[]): readonly DecisionRow[] {
  const approved = new Set(
    decisions.flatMap((one) => (one.state === 'effective' && one.approves ? [one.approves] : [])),
  );
  return decisions.filter((one) => one.state === 'proposed' && !approved.has(one.id));
}

function approval(proposal: DecisionRow, { intent }: IntentCase, who: SignedIn): Html {
  const own = proposal.operator.toLowerCase() === who.operator.toLowerCase();
  return html`<form
    class="proposal"
    method="post"
    action="${pathOf(intent.id)}/decisions/${encodeURIComponent(proposal.id)}/approve"
  >
    ${proof(who)}
    <h2>Proposed: ${WORDS[proposal.kind]}</h2>
    <p>
      By ${proposal.operator}${!proposal.authenticated && ' (claimed in the Web UI)'},
      ${time(proposal.decidedAt)}. Evidence: ${proposal.evidence}. Reason: ${proposal.reason}.
    </p>
    ${
      own
        ? html`<p>You proposed it: another operator must approve it.</p>`
        : html`<button>Approve</button>`
    }
  </form>`;
}

const WORDS: Readonly<Record<DecisionRow['kind'], string>> = {
  applied: 'the provider did it',
  not_applied: 'the provider did not do it',
  retry: 'the provider did not do it: send it again',
  approve: 'approved',
  close: 'closed',
};

/** The id is made with the page: a form that is sent twice is one decision. */
function decideForm(legal: readonly DecisionKind[], { intent }: IntentCase, who: SignedIn): Html {
  return html`<form class="decide" method="post" action="${pathOf(intent.id)}/decisions">
    ${proof(who)}
    <input type="hidden" name="decision_id" value="${randomUUID()}" />
    <fieldset>
      <legend>Decide</legend>
      ${legal.map(
        (kind) =>
          html`<label
            ><input type="radio" name="decision" value="${kind}" required />
            <span><strong>${kind}</strong>: ${WORDS[kind]}</span></label
          >`,
      )}
      ${
        intent.contract.lookUp !== null &&
        html`<p>
          ${intent.provider} can be asked, so a decision takes effect when our own look-up agrees.
        </p>`
      }
      <label for="evidence">Evidence: what proves it</label>
      <input id="evidence" name="evidence" maxlength="${MOST_EVIDENCE}" required />
      <label for="reason">Reason</label>
      <input id="reason" name="reason" maxlength="${MOST_REASON}" required />
      ${
        intent.contract.lookUp !== null &&
        html`<label
          ><input type="checkbox" name="override" value="true" /> Override: the look-up stays
          silent. A second operator must approve.</label
        >`
      }
      <button>Record the decision</button>
    </fieldset>
  </form>`;
}
