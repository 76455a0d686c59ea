/** The queue: what waits for a person or may soon, oldest first, with what hangs on it. */
import { CONCERN_NAMES, type Concern, CONCERNS } from '../../domain/concern';
import { moneyOf } from '../../operations/currency';
import { lasting } from '../../operations/lasting';
import { deskLinks } from '../../orchestration/desk-links';
import { type OpenOrphan } from '../../store/orphan-effects';
import { type QueueLine, type QueueSum } from '../../store/read-queue';
import { intentPage, ORPHANS_PAGE, queuePage as pathOf } from './paths';
import { type Html, html, type Part } from '../html';
import { page, type Surroundings, time } from './layout';
import { type SignedIn } from './session';

/** What each concern asks of whoever reads it. */
const MEANINGS: Readonly<Record<Concern, string>> = {
  proposal: 'a decision waits for a second person',
  review: 'evidence cannot decide',
  discrepancy: 'evidence contradicts a final state',
  held_back: 'its run has completed, its row has not: was a backup restored?',
  overdue: 'the next step was due a minute ago and nobody took it',
  unsent: 'the provider turns it away or is down, or no worker may send it',
  cancel: 'a cancel is not resolved yet',
  unknown: 'the engine is asking the provider',
};

/** What the page is made from. */
export interface Queue {
  readonly lines: readonly QueueLine[];
  readonly sums: readonly QueueSum[];
  /** Effects without an intent; they have a page of their own. */
  readonly orphans: readonly OpenOrphan[];
  readonly shown: Concern | null;
  readonly deskUrl: string;
  readonly now: Date;
}

/** Renders it. */
export function queuePage(queue: Queue, who: SignedIn, surroundings: Surroundings): Html {
  const total = queue.sums
    .filter((one) => queue.shown === null || one.concern === queue.shown)
    .reduce((sum, one) => sum + one.intents, 0);
  return page({
    title: `${total} waiting`,
    who,
    surroundings,
    content: html`<h1>Queue</h1>
      ${orphans(queue)} ${summary(queue)} ${lines(queue, total)} ${webUiLists(queue)}`,
  });
}

/** Beside the queue, since there is no intent that could be a line of it. */
function orphans({ orphans: { length } }: Queue): Part {
  return (
    length > 0 &&
    html`<p class="alarm">
      <a href="${ORPHANS_PAGE}">Effects without an intent: ${length}.</a> A provider did something
      under a reference of ours that this database does not know.
    </p>`
  );
}

function lines(queue: Queue, total: number): Html {
  if (queue.lines.length === 0) return html`<p class="calm">Nothing waits for anybody.</p>`;
  const hidden = total - queue.lines.length;
  return html`${table(queue)} ${hidden > 0 && html`<p>${hidden} younger ones are not shown.</p>`}`;
}

function summary({ sums, shown }: Queue): Html {
  const links = CONCERNS.map((concern) => {
    const own = sums.filter((one) => one.concern === concern);
    const intents = own.reduce((sum, one) => sum + one.intents, 0);
    return html`<li>
      <a href="${pathOf(concern)}" ${current(shown === concern)}
        >${CONCERN_NAMES[concern]}: ${intents}</a
      >
      <small>${MEANINGS[concern]}</small>
      ${own.map((one) => html`<small class="money">${moneyOf(one.amount, one.currency)}</small>`)}
    </li>`;
  });
  return html`<nav aria-label="Concerns">
    <ul class="concerns">
      <li>
        <a href="/desk" ${current(shown === null)}
          >All: ${sums.reduce((sum, one) => sum + one.intents, 0)}</a
        >
      </li>
      ${links}
    </ul>
  </nav>`;
}

/** The same from Temporal's side: what its Web UI knows of the runs. */
function webUiLists({ lines, deskUrl, now }: Queue): Html {
  const tenants = [...new Set(lines.map((one) => one.tenant))];
  const providers = [...new Set(lines.map((one) => one.provider))];
  const links = deskLinks({ deskUrl, now, tenants, providers });
  return html`<h2>In the Temporal Web UI</h2>
    <ul class="links">
      ${links.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}
    </ul>`;
}

function current(isCurrent: boolean): Part {
  return isCurrent && html`aria-current="page"`;
}

function table(queue: Queue): Html {
  return html`<table>
    <caption>
      Oldest first
    </caption>
    <thead>
      <tr>
        <th scope="col">For</th>
        <th scope="col">Amount</th>
        <th scope="col">Concern</th>
        <th scope="col">Tenant and reference</th>
        <th scope="col">Provider</th>
        <th scope="col">Why</th>
        <th scope="col">Next step</th>
      </tr>
    </thead>
    <tbody>
      ${queue.lines.map((line) => row(line, queue))}
    </tbody>
  </table>`;
}

function row(line: QueueLine, { deskUrl, now }: Queue): Html {
  return html`<tr data-intent="${line.id}">
    <td class="money" title="${line.since.toISOString()}">${lasting(line.since, now)}</td>
    <td class="money">${moneyOf(line.amount, line.currency)}</td>
    <td><span class="badge ${line.concern}">${CONCERN_NAMES[line.concern]}</span></td>
    <td>
      <a href="${intentPage(line.id)}">${line.tenant} · ${line.businessKey}</a>
      <small>${line.operation}, ${line.status}</small>
    </td>
    <td class="nowrap">${line.provider}</td>
    <td>${line.discrepancyReason ?? line.reason}</td>
    <td>
      ${line.nextStepAt === null ? 'a person' : time(line.nextStepAt)}
      <a class="nowrap" href="${deskUrl}/${encodeURIComponent(line.workflowId)}">Web UI</a>
    </td>
  </tr>`;
}
